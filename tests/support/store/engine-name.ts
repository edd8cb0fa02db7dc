import { ENGINES, type EngineName } from '../../../infra/local/engine/start-engine.ts'

/** The engine in `EVENTS_TEST_ENGINE`, by default dynalite. Throws for an engine that the local stack lacks. */
export function engineName(): EngineName {
  const name = process.env.EVENTS_TEST_ENGINE || 'dynalite'
  const known = ENGINES.find(engine => engine === name)
  if (!known) throw new Error(`EVENTS_TEST_ENGINE is ${name}; it must be one of ${ENGINES.join(', ')}`)
  return known
}
