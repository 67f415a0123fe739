extension ScoreboardPage {
  /// The style sheet: large type, strong contrast, light and dark, and shapes in addition to
  /// colours.
  static let style = """
    :root {
      --paper: #ffffff; --ink: #14171a; --quiet: #4a5158; --line: #c9ced4; --band: #f1f3f5;
      --done: #0b5c2e; --on-done: #ffffff; --work: #8a3b00; --bar: #f0c9a8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #101214; --ink: #f4f5f6; --quiet: #b6bdc5; --line: #41474e; --band: #1b1f23;
        --done: #7fe3a6; --on-done: #08240f; --work: #ffb77a; --bar: #6b3a12;
      }
    }
    * { box-sizing: border-box; }
    html { font: 500 clamp(1rem, 0.82rem + 0.42vw, 1.35rem)/1.4 system-ui, sans-serif; }
    body { margin: 0 auto; padding: 1.2rem clamp(0.8rem, 2vw, 2.5rem); max-width: 120rem;
      background: var(--paper); color: var(--ink); }
    header { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 1.5rem; }
    h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
    h2 { font-size: 1.25rem; line-height: 1.2; margin: 1.2rem 0 0.5rem; }
    header p, p { margin: 0.3rem 0; }
    small { display: block; font-size: 0.85em; color: var(--quiet); }
    time { white-space: nowrap; }
    .pair { display: grid; gap: 0 3rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
    section { min-width: 0; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    .list { width: 100%; }
    .list th, .list td { padding: 0.2rem 0.5rem 0.2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
    .list thead th { font-size: 0.85em; color: var(--quiet); vertical-align: bottom; }
    .list tbody th { overflow-wrap: break-word; }
    .bar { display: block; min-width: 3.5rem; padding: 0 0.4rem; border-left: 3px solid var(--work);
      background: linear-gradient(var(--bar), var(--bar)) left / var(--share) 100% no-repeat; }
    ol, ul { margin: 0; padding-left: 1.6rem; }
    li { margin-bottom: 0.4rem; overflow-wrap: anywhere; }
    .key { display: flex; flex-wrap: wrap; gap: 0.2rem 1.5rem; }
    .matrix { overflow: auto; max-height: 96vh; border: 1px solid var(--line); }
    .matrix table { border-collapse: separate; border-spacing: 0; width: 100%; }
    .matrix td, .matrix th { padding: 0.1rem; text-align: center; white-space: nowrap; }
    .matrix td { min-width: 1.75rem; color: var(--quiet); }
    .matrix thead { position: sticky; top: 0; z-index: 2; }
    .matrix thead th { background: var(--paper); border-bottom: 1px solid var(--line); vertical-align: bottom; }
    .matrix thead tr:first-child th[colspan] { border-left: 2px solid var(--line); overflow: hidden; max-width: 0; text-overflow: ellipsis; }
    .matrix thead tr + tr th { font-size: 0.85em; height: 11.5em; font-weight: 500; }
    .matrix thead tr + tr span { writing-mode: vertical-rl; transform: rotate(180deg); }
    .matrix .edge { border-left: 2px solid var(--line); }
    .matrix tbody tr:nth-child(even) > * { background: var(--band); }
    .matrix tbody tr > * { background: var(--paper); height: 1.9rem; }
    .matrix .who { position: sticky; left: 0; z-index: 1; text-align: left; padding-right: 0.6rem;
      min-width: 7rem; max-width: min(16rem, 38vw); overflow: hidden; text-overflow: ellipsis; }
    .matrix .who small { display: inline; }
    .matrix .sum { font-weight: 700; color: var(--ink); padding: 0 0.4rem; }
    b.done, b.work { display: inline-block; min-width: 1.55rem; line-height: 1.55rem; border-radius: 0.3rem; text-align: center; }
    b.done { background: var(--done); color: var(--on-done); }
    b.work { border: 2px solid var(--work); color: var(--work); line-height: calc(1.55rem - 4px); }
    .wide td { min-width: 1.1rem; }
    .wide td, .wide th { padding: 0 0.03rem; }
    .wide .who { max-width: min(11.5rem, 38vw); }
    .wide thead tr:first-child th { font-size: 0.85em; }
    .wide b.done, .wide b.work { min-width: 1.08rem; font-size: 0.72rem; line-height: 1.4rem; }
    .wide b.work { line-height: calc(1.4rem - 4px); }
    @media print { .matrix { overflow: visible; max-height: none; } }
    """
}
