/** How an engine is run in this process. */
export interface EngineRun {
  /** Where it keeps its tables; in memory without. */
  dataDir: string | undefined
  /** Ends the engine. */
  signal: AbortSignal
  onReady: (endpoint: string) => void
}
