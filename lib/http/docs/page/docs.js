/** The address of this page ends with `/docs`; behind a path mapping of the gateway more stands before it. */
const base = new URL(`${window.location.pathname}/../`, window.location.href)

window.SwaggerUIBundle({
  url: new URL('v1/openapi.json', base).href,
  domNode: document.getElementById('reference'),
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  showCommonExtensions: true,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
  onComplete: showNamedPart,
})

/** The reference has just grown, and moved what the address names. */
function showNamedPart() {
  const name = decodeURIComponent(window.location.hash.slice(1))
  if (name) document.getElementById(name)?.scrollIntoView()
}
