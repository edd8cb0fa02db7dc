import type { Place } from '../events/place.ts'
import type { ItemPosition } from '../store/format/record-codec.ts'

/** Matches the key of a list: the path of the list, then the code of the network. */
const LIST = /^(([ut])([0-9a-f]{40})(?:#(.+))?|all(?:#.+)?)@/

/**
 * Returns the list and the place of an item, read from the item's key. Returns undefined if the key belongs to no list
 * of events.
 */
export function positionOf(list: string, place: Place): ItemPosition | undefined {
  const [, path, of, address, part = ''] = LIST.exec(list) ?? []
  if (path === undefined) return undefined
  const isShort = of === 't' && /^\d+$/.test(part)
  return { path, owner: address && `0x${address}`, place, isShort }
}
