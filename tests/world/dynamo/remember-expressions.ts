type AttributeValues = Record<string, Record<string, unknown>>

/** The last two properties list what is unused. A parser removes from them the names and values that it uses. */
interface Context {
  isKeyCondition?: boolean
  attrNames?: Record<string, string>
  attrVals?: AttributeValues
  unusedAttrNames: Record<string, true>
  unusedAttrVals: Record<string, true>
}

export interface Parser {
  /** Returns the syntax tree, or the reason why the expression is invalid. */
  parse(expression: string, options: { context: Context }): object | string
}

interface Parsed {
  tree: object
  names: Map<unknown, string>
  unused: Pick<Context, 'unusedAttrNames' | 'unusedAttrVals'>
}

/** When this many expressions are remembered, all of them are forgotten. */
const MAX_REMEMBERED = 1000

/** Parsing takes most of a short Query's time, so an expression is parsed once for all values that parse alike. */
export function rememberExpressions(parser: Parser): void {
  const { parse } = parser
  const remembered = new Map<string, Parsed>()

  parser.parse = (expression, { context, ...options }) => {
    const { isKeyCondition, attrNames = {}, attrVals = {} } = context
    const key = JSON.stringify([expression, isKeyCondition, attrNames, kindsOf(attrVals, expression)])
    let parsed = remembered.get(key)
    if (!parsed) {
      const unused = { unusedAttrNames: allOf(attrNames), unusedAttrVals: allOf(attrVals) }
      const tree = parse(expression, { ...options, context: { ...context, ...unused } })
      if (typeof tree === 'string') return tree
      parsed = {
        tree,
        names: new Map(Object.entries(attrVals).map(([name, value]) => [value, name])),
        unused,
      }
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(key, parsed)
    }
    keepOnly(context.unusedAttrNames, parsed.unused.unusedAttrNames)
    keepOnly(context.unusedAttrVals, parsed.unused.unusedAttrVals)
    return filledTree(parsed.tree, parsed.names, attrVals) as object
  }
}

/**
 * Parsing depends on the types of the values. It also depends on the values themselves if the parser uses them. For
 * BETWEEN, the parser only compares the bounds, so the order of the strings is sufficient.
 */
function kindsOf(values: AttributeValues, expression: string): unknown {
  const named = Object.entries(values)
  const types = named.map(([name, value]) => [name, Object.keys(value)])
  if (/attribute_type/i.test(expression)) return values
  if (!/between/i.test(expression)) return types
  const texts = named.flatMap(([name, { S }]) => (typeof S === 'string' ? [{ name, S }] : []))
  if (texts.length < named.length) return values
  texts.sort((a, b) => (a.S < b.S ? -1 : a.S > b.S ? 1 : 0))
  return texts.map(({ name, S }, at) => [name, S === texts[at - 1]?.S])
}

const allOf = (named: object): Record<string, true> =>
  Object.fromEntries(Object.keys(named).map(name => [name, true]))

function keepOnly(names: Record<string, true>, kept: Record<string, true>) {
  for (const name of Object.keys(names)) if (!kept[name]) delete names[name]
}

/** Each request needs a copy of the tree, because dynalite changes update trees. */
function filledTree(node: unknown, names: Map<unknown, string>, values: AttributeValues): unknown {
  const name = names.get(node)
  if (name !== undefined) return values[name]
  if (Array.isArray(node)) return node.map(part => filledTree(part, names, values))
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.create(Object.getPrototypeOf(node))
  for (const [key, part] of Object.entries(node)) copy[key] = filledTree(part, names, values)
  return copy
}
