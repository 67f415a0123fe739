# The targets of the project. `make` alone lists what a learner needs.

KATA_TOOL := .build/kata

# A value from make's command line becomes one word, with any contents.
quoted = '$(subst ','\'',$(1))'
given = $(if $(filter command,$(origin $(1))),$($(1)))
flag = $(if $(call given,$(2)),--$(1))
option = $(if $(call given,$(2)),--$(1) $(call quoted,$($(2))))

# The options, which are given as variables: 'make list JSON=1'. The program rejects those that don't fit.
OPTIONS = $(strip $(call flag,json,JSON) $(call flag,yes,YES) $(call flag,all,ALL) $(call option,stress,STRESS) $(call flag,named,NAMED) $(call option,minutes,MINUTES) \
  $(call flag,replay,REPLAY) $(call option,format,FORMAT) $(call option,output,OUT) \
  $(call option,shard,SHARD) $(call flag,merge,MERGE) $(call flag,no-races,NO_RACES) $(call flag,isolate,ISOLATE) \
  $(call option,name,WHO) $(call flag,references,REFERENCES) $(call flag,docs,DOCS) \
  $(call flag,classroom,CLASSROOM) $(call option,refresh,REFRESH) \
  $(call option,as,AS) $(call option,adapter,ADAPTER) \
  $(call option,scenario,SCENARIO) $(call option,module,MODULE))

# What 'make' alone lists: the targets for learners.
LEARNERS = kata run list page hint solution reset test doctor export import

# KATA=PhotoStore picks a kata, a module or "all".
PICK = $(if $(KATA),$(call quoted,$(KATA)))

.DEFAULT_GOAL := help
.PHONY: help help-all kata run list page hint solution reset test test-tools new verify mutate soak diagnosis report judge grade grade-class export import handout scoreboard lint format docs docs-preview docs-check doctor clean tool author-tool teacher-tool bench bench-loop

help: ## what a learner needs
	@echo "Concurrency Katas"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
	  case " $(LEARNERS) " in *" $$name "*) printf '  make %-10s %s\n' "$$name" "$$text" ;; esac; done
	@echo
	@echo "KATA=PhotoStore picks a kata, e.g. 'make hint KATA=PhotoStore'. 'make help-all' lists the rest."

help-all: ## list all targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
	  printf '  make %-14s %s\n' "$$name" "$$text"; done

# At a terminal, quitting before the kata is done doesn't fail the target.
kata: tool ## judge a kata whenever you save it; the place to begin
	@$(KATA_TOOL) watch $(PICK) $(OPTIONS) || { code=$$?; test $$code -eq 1 && test -t 0 || exit $$code; }

run: tool ## judge once: a kata, a module or all (ALL=1: every failure)
	@$(KATA_TOOL) run $(PICK) $(OPTIONS)

list: tool ## all katas, and what is done
	@$(KATA_TOOL) list $(OPTIONS)

page: tool ## a kata's page as text, or a module's chapter
	@$(KATA_TOOL) page $(PICK) $(OPTIONS)

hint: tool ## the next hint
	@$(KATA_TOOL) hint $(PICK) $(OPTIONS)

solution: tool ## the reference beside your code (YES=1: before it's done)
	@$(KATA_TOOL) solution $(PICK) $(OPTIONS)

reset: tool ## restore the stub; your text is kept beside it
	@$(KATA_TOOL) reset $(PICK) $(OPTIONS)

test: ## run all specs on the references, and unit tests
	@./.ci/test

test-tools: ## test the tools as programs, the specs as on a Mac, and the additions to Thread Sanitizer
	@./.ci/test tools

new: author-tool ## create the files of a new kata, for you to write: KATA=VisitCounter MODULE=Barriers
	@$(KATA_TOOL)-author new $(PICK) $(OPTIONS)

verify: author-tool ## prove the specs: what they must reject and accept (NAMED=1: faster)
	@$(KATA_TOOL)-author verify $(PICK) $(OPTIONS)

soak: author-tool ## judge the right answers repeatedly, in changing conditions: MINUTES=60
	@$(KATA_TOOL)-author soak $(PICK) $(OPTIONS)

diagnosis: author-tool ## how often "looks like" names the right mistake (REPLAY=1: on the last runs)
	@$(KATA_TOOL)-author verify $(PICK) --diagnosis $(OPTIONS)

mutate: author-tool ## judge mutants of the references, and say which pass
	@$(KATA_TOOL)-author mutate $(PICK) $(OPTIONS)

report: teacher-tool ## judge and write a report: FORMAT=json, junit or exercism; OUT=file
	@$(KATA_TOOL)-teacher report $(PICK) $(OPTIONS)

# Code that keeps the contract of Operation doesn't fail the target, though the kata asks for more.
judge: teacher-tool ## judge code of your own: FILE=file or folder, AS=kata or SCENARIO=file, ADAPTER=file
	@$(KATA_TOOL)-teacher judge $(if $(FILE),$(call quoted,$(FILE))) $(OPTIONS) || test $$? -eq 4

grade: teacher-tool ## judge a folder of submissions: FROM=folder, OUT=results, KATA=what counts, ISOLATE=1
	@$(KATA_TOOL)-teacher grade $(if $(FROM),$(call quoted,$(FROM))) $(call option,kata,KATA) $(OPTIONS)

grade-class: ## test grading on a class of made-up submissions, killed in the middle: COUNT=300
	@KATA_CLASS=$(or $(COUNT),300) ./.ci/test class

export: tool ## your progress as a file: OUT=file, and WHO=Ada for a scoreboard
	@$(KATA_TOOL) export $(OPTIONS)

import: tool ## import progress from another machine: IN=file
	@$(KATA_TOOL) import $(if $(IN),$(call quoted,$(IN))) $(OPTIONS)

handout: teacher-tool ## an archive for participants: KATA=, OUT=; REFERENCES=1, DOCS=1, CLASSROOM=1
	@$(KATA_TOOL)-teacher handout $(PICK) $(OPTIONS)

scoreboard: teacher-tool ## a page of what participants have exported: FROM=folder, OUT=file, REFRESH=30
	@$(KATA_TOOL)-teacher scoreboard $(if $(FROM),$(call quoted,$(FROM))) $(OPTIONS)

lint: ## check the format, the documentation rules, the prose, the stubs, and what Macs compile
	swift format lint --strict --recursive Package.swift Modules Katas Tests Tools Benchmarks
	@./.ci/check-stubs
	@./.ci/check-prose
	@./.ci/check-darwin

format: ## set all sources in the project's format
	swift format --in-place --recursive Package.swift Modules Katas Tests Tools Benchmarks

# KATA_ANSWERS chooses the products of this package, and mustn't affect the benchmarks that depend on it.
# PAIRS=30 measures more often; ONLY=alone (or contended) leaves out the rest. ACROSS=1 optimises across modules,
# which shows how much of a cost comes from the module boundary.
BENCH = KATA_ANSWERS= \
  swift run --package-path Benchmarks --quiet --scratch-path .build/bench
bench: ## measure the references beside other ways to do the same, in pairs
	@$(BENCH)$(if $(call given,ACROSS),-across -Xswiftc -cross-module-optimization) -c release \
	  bench $(PICK) $(if $(call given,PAIRS),--pairs $(call quoted,$(PAIRS))) \
	  $(if $(call given,ONLY),--only $(call quoted,$(ONLY)))

# PAIRS=30 measures more often; ONLY=edits (or growth, fresh) leaves out the rest.
bench-loop: tool ## measure from save to verdict, beside 'swift test --filter'
	@$(BENCH) bench-loop $(PICK) $(if $(PAIRS),--pairs $(PAIRS)) $(ONLY)

# BASE=/concurrency-katas is the path below which a server publishes it.
docs: author-tool ## build the documentation into .build/docs/site
	@$(KATA_TOOL)-author docs
	@BASE='$(BASE)' ./.ci/build-docs

docs-preview: ## read the documentation: serve what 'make docs' has built, on this machine alone
	@./.ci/docs-check --serve

docs-check: ## check the built pages in a browser, wide and narrow, light and dark (needs Chromium)
	@./.ci/docs-check

doctor: tool ## check whether this machine has what the katas need
	@$(KATA_TOOL) doctor $(OPTIONS)

clean: ## remove what was built; your answers and your progress stay
	rm -rf .build

# The tools are a separate build, so that an answer that doesn't compile can't break them; those of authors and
# teachers are built when they are needed.
tool author-tool teacher-tool:
	@sh Tools/build kata$(if $(filter-out tool,$@),-$(@:-tool=))
