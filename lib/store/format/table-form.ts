import { NETWORKS, readNetworks } from '../../events/networks.ts'
import { OtherNetworksError } from '../../query/errors.ts'
import type { AttributeMap, EventTable } from '../event-table.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'

/**
 * The form, an item that lists the table's networks, is in the partition of the checkpoints, so that one read returns
 * both.
 */
const FORM_PLACE = 'form'
/** The attribute that contains the networks' names, as a string that `readNetworks` parses. */
export const FORM_NETWORKS = 'networks'

/**
 * The key of the form. A table without a form, such as one that a load without `--networks` has filled, is for all
 * networks.
 */
export const FORM_KEY = { [LIST_KEY]: CHECKPOINTS_LIST, [PLACE_KEY]: FORM_PLACE } as const

export const isForm = ({ [PLACE_KEY]: place }: AttributeMap): boolean => place?.S === FORM_PLACE

export const formText = (networks: EventTable['networks']): string => networks?.join(',') ?? 'all'

/**
 * Throws `OtherNetworksError` if the networks differ. With `isOneEnough`, a table without a form also fits a caller
 * with one network, because a network's own lists are the same in every table. In a table without a form, the caller
 * must write its items as for a table of all networks.
 */
export function requireForm(
  form: AttributeMap | undefined,
  { tableName, networks }: EventTable,
  { isOneEnough = false } = {},
): void {
  const recorded = networksIn(form)
  if (formText(recorded ?? NETWORKS) === formText(networks ?? NETWORKS)) return
  if (isOneEnough && !form && networks?.length === 1) return
  throw new OtherNetworksError({ tableName, recorded: formText(recorded), asked: formText(networks) })
}

/** Returns the networks in the form, or undefined for all networks. */
export const networksIn = (form: AttributeMap | undefined) => readNetworks(form?.[FORM_NETWORKS]?.S)
