import type { Life } from './life.ts'
import { live } from './live.ts'

/**
 * Removes actions, readers, networks, faults and lags, as long as the shorter life still breaks the law. The gate makes
 * different choices in a shorter life, so some attempts fail by chance.
 */
export async function shorten(life: Life, law: string, mostLives = 150): Promise<Life> {
  let shortest = life
  let left = mostLives
  const stillBreaks = async (shorter: Life) => {
    if (left <= 0) return false
    left -= 1
    const { breaches } = await live(shorter)
    if (!breaches.some(breach => breach.law === law)) return false
    shortest = shorter
    return true
  }
  for (let before = -1; before !== sizeOf(shortest) && left > 0; ) {
    before = sizeOf(shortest)
    for (let part = Math.ceil(shortest.actions.length / 2); part >= 1; part = Math.floor(part / 2))
      for (let at = shortest.actions.length - part; at >= 0; at -= part)
        await stillBreaks({ ...shortest, actions: shortest.actions.toSpliced(at, part) })
    for (let at = shortest.readers.length - 1; at >= 0; at -= 1)
      await stillBreaks({ ...shortest, readers: shortest.readers.toSpliced(at, 1) })
    for (let at = shortest.plans.length - 1; at >= 0 && shortest.plans.length > 1; at -= 1)
      await stillBreaks({ ...shortest, plans: shortest.plans.toSpliced(at, 1) })
    for (const kind of ['faults', 'lag'] as const)
      for (const [name, rate] of Object.entries(shortest[kind]))
        if (rate > 0) await stillBreaks({ ...shortest, [kind]: { ...shortest[kind], [name]: 0 } })
  }
  return shortest
}

const sizeOf = ({ actions, readers, plans, faults, lag }: Life) =>
  actions.length +
  readers.length +
  plans.length +
  [...Object.values(faults), ...Object.values(lag)].filter(rate => rate > 0).length
