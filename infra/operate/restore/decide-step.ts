export interface TableState {
  used: string
  /** The tables to which every role grants access. */
  covered: string[]
  /** The tables that are used by versions with traffic. */
  live: string[]
  /** The table that the stack created. Undefined if it created none. */
  own: string | undefined
  /** Whether the table `own` continues to exist after it has left the stack. */
  isOwnRetained: boolean
}

/** An undefined value removes the setting. */
type StepSettings = Record<string, string | boolean | undefined>

export interface Step {
  name: 'cover' | 'move' | 'leave' | 'done'
  does: string
  settings: StepSettings
  /** The names for `switchOff=`: the parts that this step's deployment intentionally switches off. */
  switchOff: string[]
  /** Whether the step deletes a table. If so, only an operator may perform it. */
  deletesTable?: boolean
}

/** If no step is possible yet, throws an error that says what must be done first. */
export function decideStep(state: TableState, target: string): Step {
  const { used, covered, live, own } = state
  const stray = covered.find(table => table !== used && table !== target)
  if (used !== target) {
    if (stray)
      throw new Error(
        `The stage is still moving from ${stray} to ${used}. To finish this move first, run this command with --table ${used}`,
      )
    return covered.includes(target) ? move({ used, own }, target) : cover(target)
  }
  const left = live.find(table => table !== target)
  if (left)
    throw new Error(
      `Versions that read ${left} still receive traffic. To shift this traffic to the stack's versions, run npm run rollback for this stage, with --to stack. Or, to move the stage back to that table, run this command with --table ${left}`,
    )
  return stray ? leave({ ...state, stray }, target) : DONE
}

const DONE: Step = {
  name: 'done',
  does: 'Nothing is left to do. If the old table still exists, it remains until somebody deletes it.',
  settings: {},
  switchOff: [],
}

const cover = (target: string): Step => ({
  name: 'cover',
  does: `The roles also give access to ${target}, although nothing reads this table yet.`,
  settings: { otherTable: target, otherTableInStack: undefined },
  switchOff: [],
})

const move = ({ used, own }: Pick<TableState, 'used' | 'own'>, target: string): Step => ({
  name: 'move',
  does: `All traffic and the indexer move together from ${used} to ${target}. The roles still give access to both tables.`,
  settings: {
    tableName: target,
    tableAdopted: own !== target,
    otherTable: used,
    otherTableInStack: own === used ? true : undefined,
  },
  switchOff: ['EVENTS_TABLE'],
})

function leave(
  { own, isOwnRetained, stray }: Pick<TableState, 'own' | 'isOwnRetained'> & { stray: string },
  target: string,
): Step {
  const isOwnLeft = own !== undefined && own !== target
  const fate = isOwnRetained
    ? 'no longer belongs to the stack'
    : 'has the deletion policy Delete, so this step deletes it with all its events, and you must deploy the step yourself'
  return {
    name: 'leave',
    does: `The roles give access only to ${target}.${isOwnLeft ? ` ${stray} ${fate}.` : ''}`,
    settings: {
      otherTable: undefined,
      otherTableInStack: undefined,
      ...(isOwnLeft && { importBucket: undefined, importPrefix: undefined }),
    },
    switchOff: isOwnLeft ? ['EventsTable'] : [],
    deletesTable: isOwnLeft && !isOwnRetained,
  }
}
