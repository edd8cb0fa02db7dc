/** How an engine is run in this process. */
export interface EngineRun {
  /** Where it keeps its tables; in memory without. */
  dataDir: string | undefined
  /** Where it listens; on a free port where that one is taken. 0 is any free one. */
  port: number
  /** Ends the engine. */
  signal: AbortSignal
  onReady: (endpoint: string) => void
}
