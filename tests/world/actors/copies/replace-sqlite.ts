import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const SIM_SQLITE = pathToFileURL(path.join(import.meta.dirname, 'sim-sqlite.ts')).href
const OPEN_SQLITE = 'lib/callers/copies/open-sqlite.ts'

// Only `open-sqlite.ts` gets the world's SQLite, because the world's SQLite itself needs the real one.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:sqlite' && context.parentURL?.endsWith(OPEN_SQLITE)
      ? { url: SIM_SQLITE, shortCircuit: true }
      : next(specifier, context),
})
