import { isDeepStrictEqual } from 'node:util'
import { type EventList, listPath } from '../events/lists.ts'
import type { ListChoice, ListsPlan, MergePlan, Plan } from '../query/plan-query.ts'

export function describePlan(plan: Plan): string[] {
  switch (plan.read) {
    case 'nothing':
      return [`read nothing: ${plan.because}`]
    case 'lists':
      return describeLists(plan)
    case 'merge':
      return describeMerge(plan)
    case 'ties-reversed':
      return [
        `reverse each group of records with equal createdAt, so that the group's order is ${plan.ties}:`,
        ...indent(describePlan(plan.source)),
      ]
    case 'block-runs':
      return [
        'read the networks one after another, ordered by block number and then by network name:',
        ...indent(describePlan(plan.source)),
      ]
  }
}

function describeMerge({ parts, by, direction }: MergePlan): string[] {
  const key = by === 'time' ? 'createdAt' : 'blockNumber'
  const [first, ...others] = parts.map(part => describeLists({ ...part, network: undefined }))
  if (first && others.every(each => isDeepStrictEqual(each, first))) {
    return [`merge ${parts.length} networks by ${key}, ${direction}; for each network:`, ...indent(first)]
  }
  return [
    `merge ${parts.length} parts by ${key}, ${direction}:`,
    ...parts.flatMap(part => indent(describeLists(part))),
  ]
}

function describeLists({
  lists,
  network,
  span,
  isConsistent = false,
  direction,
}: Omit<ListsPlan, 'network'> & { network?: string | undefined }) {
  const place = `${network === undefined ? '' : ` on ${network}`}${span ? ` from place ${span.first} to ${span.last}` : ''}`
  const where = isConsistent ? `${place}, consistently` : place
  const [only] = lists
  if (lists.length === 1 && only) return [`read ${describeChoice(only)}${where}, ${direction}`]
  return [
    `read ${lists.length} competing lists${where}, ${direction}, starting each call at the furthest place that any list has reached:`,
    ...indent(lists.map(describeChoice)),
  ]
}

function describeChoice({ list, where }: ListChoice): string {
  const tests = where.map(({ words }) => words)
  return tests.length === 0 ? listName(list) : `${listName(list)}, keeping rows with ${tests.join(' and ')}`
}

function listName(list: EventList): string {
  if (list.of === 'transaction') return `transaction#${list.hash}`
  if (list.of === 'block') return `block#${list.blockNumber}`
  return listPath(list)
}

const indent = (lines: string[]) => lines.map(line => `  ${line}`)
