import './gate/virtual-globals.ts'

import { AUDITS } from './actors/audit/audits.ts'
import { CALLERS } from './actors/callers/callers.ts'
import { CHAINS_AND_NODES } from './actors/chains/chains.ts'
import { FOLLOWERS } from './actors/copies/followers.ts'
import { INDEXERS } from './actors/indexers/indexers.ts'
import { LOADS } from './actors/loads/loads.ts'
import { OPERATOR } from './actors/operator/operator.ts'
import { PUBLISHERS } from './actors/publisher/publishers.ts'
import { READERS } from './actors/readers/readers.ts'
import { TABLE_LAWS } from './table-laws.ts'
import type { Part } from './world.ts'

/** To remove an actor, delete its folder and its line here. */
export const PARTS: readonly Part[] = [
  CHAINS_AND_NODES,
  INDEXERS,
  LOADS,
  CALLERS,
  READERS,
  FOLLOWERS,
  PUBLISHERS,
  AUDITS,
  OPERATOR,
  { laws: TABLE_LAWS },
]
