import { createContext } from 'preact'
import type { EventRecord } from '../../../client/records.ts'

/** The contracts whose events were created on a local chain, as the service lists them in the page. */
export const LocalContracts = createContext<ReadonlySet<string>>(new Set())

export const readLocalContracts = ({ dataset: { localContracts = '' } }: HTMLElement): ReadonlySet<string> =>
  new Set(localContracts.split(' ').filter(Boolean))

/**
 * Whether the event was created on a local chain. Such an event never happened on the network that its record names.
 */
export const isLocal = ({ address }: Pick<EventRecord, 'address'>, contracts: ReadonlySet<string>): boolean =>
  contracts.has(address)
