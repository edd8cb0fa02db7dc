/** The address of this page ends with `/docs`; behind a path mapping of the gateway more stands before it. */
const base = new URL(`${window.location.pathname}/../`, window.location.href)
const reference = document.getElementById('reference')

window.SwaggerUIBundle({
  url: new URL('v1/openapi.json', base).href,
  domNode: reference,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  showCommonExtensions: true,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
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
