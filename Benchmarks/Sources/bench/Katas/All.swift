/// All measurements, in teaching order.
let measurements =
  SerialLogBenchmark.all + ConcurrentMapBenchmark.all + LazilyBenchmark.all
  + ReentrantQueueBenchmark.all + DownloadLimiterBenchmark.all + BoundedBufferBenchmark.all
  + HitCounterBenchmark.all + PhotoStoreBenchmark.all + AtomicBoxBenchmark.all
  + ComputeOnceCacheBenchmark.all + ThrottledQueueBenchmark.all + AsyncOperationBenchmark.all

/// The katas with measurements, in teaching order.
let katas = measurements.reduce(into: [String]()) { names, measurement in
  if names.last != measurement.kata { names.append(measurement.kata) }
}
