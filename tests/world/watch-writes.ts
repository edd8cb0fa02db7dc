import { isDeepStrictEqual } from 'node:util'
import { CHAINS } from '../../lib/events/networks.ts'
import { chunkList } from '../../lib/store/format/event-items.ts'
import { CHECKPOINTS_LIST, REVISIONS_LIST } from '../../lib/store/format/keys.ts'
import { parseRevision, REVISION } from '../../lib/store/format/revision-item.ts'
import type { Actor } from './gate/gate.ts'
import { judge, type World } from './world.ts'

type Keys = readonly { list: string }[]

export function watchWrites(world: World): void {
  const { table, networks, jobs, holders, announced, removedChunks } = world
  let known = table.checkpoints()
  holders.clear()
  const codes = new Map([...networks.values()].map(each => [CHAINS[each.network].code, each]))

  table.onWrite = ({ actor, keys, removed }) => {
    springAmbush(world, { actor, keys })
    for (const { list } of keys) removedChunks.delete(list)
    if (removed) removedChunks.add(chunkList(removed))
    if (keys.some(({ list }) => list === REVISIONS_LIST))
      for (const item of table.partition(REVISIONS_LIST))
        for (const { id, blockHash } of parseRevision(item.p?.S, item[REVISION]?.S).removed)
          announced.add(`${id} ${blockHash}`)
    const job = jobs.find(each => each.actor === actor)
    const isOfCheckpoint = keys.some(({ list }) => list === CHECKPOINTS_LIST)
    const now = isOfCheckpoint ? table.checkpoints() : known
    for (const [name, network] of networks) {
      const [before, after] = [known.get(name), now.get(name)]
      if (after?.fence !== before?.fence) holders.set(name, actor.name)
      const isOfEvents = keys.some(({ list }) => codes.get(list.split('@')[1] ?? '') === network)
      if (!isOfEvents && isDeepStrictEqual(before, after)) continue
      const holder = holders.get(name)
      judge(world, law => law.atWrite?.({ world, job, network, before, after, isOfEvents, removed, holder }))
    }
    known = now
  }
}

function springAmbush({ ambush, gate }: World, { actor, keys }: { actor: Actor; keys: Keys }): void {
  if (ambush?.actor !== actor) return
  if (keys.some(({ list }) => list === ambush.after)) ambush.after = undefined
  if (ambush.after !== undefined) return
  ambush.writes -= 1
  if (ambush.writes !== 0) return
  if (ambush.freeze) ambush.freeze()
  else gate.kill(actor)
}
