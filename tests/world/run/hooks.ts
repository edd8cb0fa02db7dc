/**
 * Loaded before everything else (`node --import`): gives the code of a life the world's SQLite, and puts a planted
 * defect into the code, if the environment names one.
 */
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = path.join(import.meta.dirname, '../../..')
const SIM_SQLITE = pathToFileURL(path.join(import.meta.dirname, '../actors/copies/sim-sqlite.ts')).href
const OPEN_SQLITE = pathToFileURL(path.join(ROOT, 'lib/callers/copies/open-sqlite.ts')).href

/** A defect as `EVENTS_WORLD_PLANT` names it, in JSON. */
interface Plant {
  file: string
  text: string
  replacement: string
}

const { EVENTS_WORLD_PLANT: given } = process.env
const plant = given ? (JSON.parse(given) as Plant) : undefined
const planted = plant && pathToFileURL(path.join(ROOT, plant.file)).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:sqlite' && context.parentURL === OPEN_SQLITE
      ? { url: SIM_SQLITE, shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const loaded = next(url, context)
    if (!plant || url !== planted) return loaded
    const source = String(loaded.source)
    if (source.split(plant.text).length !== 2)
      throw new Error(`${plant.file} must contain this once: ${plant.text}`)
    return { ...loaded, source: source.replace(plant.text, () => plant.replacement) }
  },
})
