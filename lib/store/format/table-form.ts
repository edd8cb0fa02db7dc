import { NETWORKS, type Network, readNetworks } from '../../events/networks.ts'
import { OtherNetworksError } from '../../query/errors.ts'
import type { AttributeMap, EventTable } from '../event-table.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'

/**
 * The sort key of the form, the item that lists the table's networks. The form is in the checkpoints' partition, so one
 * read returns the form and the checkpoints.
 */
const FORM_PLACE = 'form'
/** The attribute with the names of the networks, as text that `readNetworks` parses. */
export const FORM_NETWORKS = 'networks'

/** The key of the form. A table of all networks has no form. */
export const FORM_KEY = { [LIST_KEY]: CHECKPOINTS_LIST, [PLACE_KEY]: FORM_PLACE } as const

/** Whether an item of the checkpoints' partition is the form. */
export const isForm = ({ [PLACE_KEY]: place }: AttributeMap): boolean => place?.S === FORM_PLACE

/** The networks as text, for the form and for messages. */
export const formText = (networks: readonly Network[] = NETWORKS): string =>
  networks.length < NETWORKS.length ? networks.join(',') : 'all'

/** Throws `OtherNetworksError` if the form's networks differ from the configured networks. */
export function requireForm(form: AttributeMap | undefined, { tableName, networks }: EventTable): void {
  const [recorded, asked] = [formText(networksIn(form)), formText(networks)]
  if (recorded !== asked) throw new OtherNetworksError({ tableName, recorded, asked })
}

/** The networks in the form's item. Undefined for all networks. */
export const networksIn = (form: AttributeMap | undefined) => readNetworks(form?.[FORM_NETWORKS]?.S)
