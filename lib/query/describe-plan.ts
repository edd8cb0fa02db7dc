import { type EventList, listPath } from '../events/lists.ts'
import type { ListChoice, ListsPlan, Plan } from './plan-query.ts'

/** A plan in words, a line for each step, for people who want to know what a query reads. */
export function describePlan(plan: Plan): string[] {
  switch (plan.read) {
    case 'nothing':
      return [`read nothing: ${plan.because}`]
    case 'lists':
      return describeLists(plan)
    case 'merge':
      return [
        `merge ${plan.parts.length} networks by ${plan.by === 'time' ? 'createdAt' : 'blockNumber'}, ${plan.direction}; of each network:`,
        ...indent(plan.parts[0] ? describeLists({ ...plan.parts[0], network: undefined }) : []),
      ]
    case 'ties-reversed':
      return [
        `turn each run of equal createdAt round, to ${plan.ties}:`,
        ...indent(describePlan(plan.source)),
      ]
    case 'block-runs':
      return ['put the networks in order, each read as a run:', ...indent(describePlan(plan.source))]
  }
}

function describeLists({
  lists,
  network,
  direction,
}: Omit<ListsPlan, 'network'> & { network?: string | undefined }) {
  const where = network === undefined ? '' : ` on ${network}`
  const [only] = lists
  if (lists.length === 1 && only) return [`read ${describeChoice(only)}${where}, ${direction}`]
  return [
    `read ${lists.length} competing lists${where} with one frontier, ${direction}:`,
    ...indent(lists.map(describeChoice)),
  ]
}

function describeChoice({ list, where }: ListChoice): string {
  const tests = where.map(({ fields, equals }) => `${fields.join(' or ')} = ${equals}`)
  return tests.length === 0 ? listName(list) : `${listName(list)}, keeping rows with ${tests.join(' and ')}`
}

function listName(list: EventList): string {
  if (list.of === 'transaction') return `transaction ${list.hash}`
  if (list.of === 'block') return `block ${list.blockNumber}`
  return listPath(list)
}

const indent = (lines: string[]) => lines.map(line => `  ${line}`)
