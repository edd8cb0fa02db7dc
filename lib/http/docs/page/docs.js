/** The address of this page ends with `/docs`; behind a path mapping of the gateway more stands before it. */
const base = new URL(`${window.location.pathname}/../`, window.location.href)
const reference = document.getElementById('reference')

const root = document.documentElement

/** Swagger UI has a name of its own for the dark. */
const wearTheme = () => root.classList.toggle('dark-mode', root.dataset.theme === 'dark')
document.addEventListener('themechange', wearTheme)
wearTheme()

/** Refused values are sent too: what the service says of them is part of what is tried out. */
const sendAnyway = {
  statePlugins: { spec: { wrapSelectors: { validateBeforeExecute: () => () => true } } },
}

/** Swagger UI has fields for a list, and none for what is either one value or a list of them. */
const askForLists = {
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: update => document => update(withLists(document)) } },
  },
}

function withLists(document) {
  for (const { get } of Object.values(document.paths)) {
    for (const parameter of get.parameters ?? []) {
      const { anyOf, ...schema } = parameter.schema
      const list = anyOf?.find(({ type }) => type === 'array')
      if (list) parameter.schema = { ...schema, ...list }
    }
  }
  return document
}

/** Most answers have the same headers; unfolded they would be half of the page. */
const foldHeaders = {
  wrapComponents: {
    headers:
      (Headers, { React }) =>
      props =>
        props.headers?.size > 0 &&
        React.createElement(
          'details',
          null,
          React.createElement('summary', null, `${props.headers.size} headers`),
          React.createElement(Headers, props),
        ),
  },
}

window.SwaggerUIBundle({
  url: new URL('v1/openapi.json', base).href,
  domNode: reference,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  showCommonExtensions: true,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
  plugins: [sendAnyway, askForLists, foldHeaders],
  syntaxHighlight: { theme: 'monokai' },
})

// The reference grows while it is drawn, and moves what the address names, until the reader takes over.
const growth = new ResizeObserver(showNamedPart)
growth.observe(reference)
for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
  window.addEventListener(input, () => growth.disconnect(), { once: true, passive: true })
}

function showNamedPart() {
  const name = decodeURIComponent(window.location.hash.slice(1))
  if (name) document.getElementById(name)?.scrollIntoView()
}
