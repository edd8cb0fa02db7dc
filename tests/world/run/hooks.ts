/**
 * Loaded before all other modules (`node --import`). Replaces SQLite with the world's SQLite, and plants the defect
 * that the environment names, if any.
 */
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import '../actors/copies/replace-sqlite.ts'
import type { PlantedDefect } from '../planted-defect.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

const { EVENTS_WORLD_PLANT: given } = process.env
const plant = given ? (JSON.parse(given) as PlantedDefect) : undefined
const planted = plant && pathToFileURL(path.join(ROOT, plant.file)).href

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!plant || url !== planted) return loaded
    const source = String(loaded.source)
    if (source.split(plant.text).length !== 2)
      throw new Error(`${plant.file} must contain this once: ${plant.text}`)
    return { ...loaded, source: source.replace(plant.text, () => plant.replacement) }
  },
})
