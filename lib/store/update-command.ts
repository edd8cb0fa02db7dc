import { UpdateCommand } from '@aws-sdk/lib-dynamodb'

export interface ItemUpdate {
  tableName: string
  key: Record<string, unknown>
  set?: object
  /** Further assignments, such as `#renewals = #renewals + :one`. */
  assign?: readonly string[]
  remove?: readonly string[]
  condition: string
  /** The values of `assign` and `condition` that are not in `set`. */
  values?: object
}

/** In `assign` and `condition`, `#name` is the attribute `name`, and `:name` the value `name` in `set` or `values`. */
export function updateCommand({
  tableName,
  key,
  set = {},
  assign = [],
  remove = [],
  condition,
  values = {},
}: ItemUpdate): UpdateCommand {
  const assignments = [...assign, ...Object.keys(set).map(name => `#${name} = :${name}`)]
  const update = [
    assignments.length > 0 ? `SET ${assignments.join(', ')}` : '',
    remove.length > 0 ? `REMOVE ${remove.map(name => `#${name}`).join(', ')}` : '',
  ].join(' ')
  const names = [...`${update} ${condition}`.matchAll(/#(\w+)/g)].map(([inText, name]) => [inText, name])
  const given = Object.entries({ ...set, ...values }).map(([name, value]) => [`:${name}`, value])
  return new UpdateCommand({
    TableName: tableName,
    Key: key,
    UpdateExpression: update.trim(),
    ConditionExpression: condition,
    ExpressionAttributeNames: Object.fromEntries(names),
    ...(given.length > 0 && { ExpressionAttributeValues: Object.fromEntries(given) }),
  })
}
