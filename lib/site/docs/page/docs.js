/** The script that sends requests from the documentation page. This page is at `/docs` below the service's base URL. */
const base = new URL('.', window.location.href)
const told = document.getElementById('told')
/**
 * The reference explains these headers, but the page collapses them, because their values say little about an answer.
 */
const UNREMARKABLE = new Set(['access-control-allow-origin', 'content-encoding', 'vary'])
/** The maximum number of characters of a body that the page shows, because browsers take seconds to lay out more. */
const MAX_SHOWN_CHARACTERS = 300_000

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    send(form)
  })
  form.addEventListener('input', () => showRequest(form))
  form.addEventListener('reset', () => setTimeout(() => empty(form)))
  form.addEventListener('click', event => press(form, event.target.closest('button')))
  form.querySelector('.copy').hidden = false
  showRequest(form)
}

for (const link of document.querySelectorAll('[data-operation]')) {
  link.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const section = document.getElementById(link.dataset.operation)
    const form = section.querySelector('form')
    const isElsewhere = !form.contains(link)
    if (isElsewhere) {
      window.location.hash = section.id
      // If the address already names the section, the browser does not scroll by itself.
      section.scrollIntoView()
    }
    fill(form, new URL(link.href))
    form.querySelector('.actions button').focus({ preventScroll: true })
    // After a jump to the section, its heading must stay in view, so the page does not scroll to the answer.
    send(form, !isElsewhere)
  })
}

// An example is coloured when it first becomes visible, because colouring all examples at once would freeze a phone.
for (const folded of document.querySelectorAll('.sample')) {
  const show = () => colour(folded.querySelector('code'))
  if (folded.open) setTimeout(show)
  else folded.addEventListener('toggle', show, { once: true })
}

const places = new Map(
  Array.from(document.querySelectorAll('.contents a'), link => [
    document.getElementById(link.hash.slice(1)).closest('section'),
    link,
  ]),
)
const observer = new IntersectionObserver(markPlace, { rootMargin: '0px 0px -75%' })
for (const section of places.keys()) observer.observe(section)

function markPlace(seen) {
  const [last] = seen.filter(({ isIntersecting }) => isIntersecting).slice(-1)
  if (!last) return
  for (const link of places.values()) link.removeAttribute('aria-current')
  places.get(last.target).setAttribute('aria-current', 'true')
}

function press(form, button) {
  const field = button?.closest('.parameter')
  if (button?.matches('.fill')) put(field, JSON.parse(button.dataset.values))
  if (button?.matches('.more')) addField(field.querySelector('.values')).focus()
  if (button?.matches('.copy')) copy(button, commandOf(form))
  if (button?.matches('.fill')) showRequest(form)
}

async function copy(button, text) {
  // `clipboard` is undefined if the page was loaded from another machine over plain HTTP.
  const copied = navigator.clipboard?.writeText(text).then(() => 'Copied')
  button.textContent = (await copied?.catch(() => undefined)) ?? 'Not copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

/** Returns the URL of the form's request. Values are not checked, so that readers can see the service's errors too. */
function addressOf(form) {
  let path = form.dataset.path.slice(1)
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, () => encodeURIComponent(value))
    else if (value !== '') query.append(name, value)
  }
  const text = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  return new URL(text === '' ? path : `${path}?${text}`, base)
}

function commandOf(form) {
  return `curl '${addressOf(form).href.replaceAll("'", '%27')}'`
}

function showRequest(form) {
  form.querySelector('.request code').textContent = commandOf(form)
}

function empty(form) {
  form.sending?.abort()
  form.removeAttribute('aria-busy')
  for (const list of form.querySelectorAll('.values')) keepFirst(list)
  tellRefusals(form, [])
  form.querySelector('.live').hidden = true
  showRequest(form)
}

/** Fills the form with the parameters of a request, and empties all other fields. */
function fill(form, { pathname, searchParams }) {
  for (const field of form.querySelectorAll('.parameter')) {
    const { name } = field.querySelector('[name]')
    if (form.dataset.path.endsWith(`/{${name}}`))
      put(field, [decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1))])
    else put(field, searchParams.getAll(name))
  }
  showRequest(form)
}

function put(field, values) {
  const list = field.querySelector('.values')
  const isMany = list === null || list.dataset.max > 1
  const each = isMany ? values.flatMap(value => value.split(',')) : values
  for (const box of field.querySelectorAll('[type=checkbox]')) box.checked = each.includes(box.value)
  const choice = field.querySelector('select')
  if (choice) choice.value = each[0] ?? ''
  if (!list) return
  keepFirst(list)
  const [first = '', ...more] = each
  list.querySelector('input').value = first
  for (const value of more) addField(list).value = value
}

function keepFirst(list) {
  for (const input of [...list.querySelectorAll('input')].slice(1)) input.remove()
  const more = list.parentElement.querySelector('.more')
  if (more) more.hidden = false
}

function addField(list) {
  const inputs = list.querySelectorAll('input')
  const input = inputs[0].cloneNode()
  input.value = ''
  inputs[inputs.length - 1].after(input)
  list.parentElement.querySelector('.more').hidden = inputs.length + 1 >= Number(list.dataset.max)
  return input
}

async function send(form, isFollowed = true) {
  const live = form.querySelector('.live')
  showRequest(form)
  form.sending?.abort()
  form.sending = new AbortController()
  const { signal } = form.sending
  form.setAttribute('aria-busy', 'true')
  told.textContent = 'Sent'
  const started = performance.now()
  try {
    const answer = await fetch(addressOf(form), { signal })
    const text = await answer.text()
    showAnswer(form, { answer, text, ms: Math.round(performance.now() - started) })
  } catch (error) {
    if (signal.aborted) return
    live.replaceChildren(element('p', { className: 'refusal' }, `No answer: ${error.message}`))
    told.textContent = 'No answer'
  }
  form.removeAttribute('aria-busy')
  live.hidden = false
  if (isFollowed) live.scrollIntoView({ block: 'nearest' })
}

function showAnswer(form, { answer, text, ms }) {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  const body = isJson ? JSON.parse(text) : undefined
  const shown = isJson ? JSON.stringify(body, null, 2) : text
  const code = element('code', { className: isJson ? 'json' : 'text' }, shown.slice(0, MAX_SHOWN_CHARACTERS))
  const size = `${new Intl.NumberFormat('en').format(new Blob([text]).size)} bytes`
  const status = element('code', { className: 'status' }, answer.status)
  status.dataset.class = String(answer.status)[0]
  form
    .querySelector('.live')
    .replaceChildren(
      element('h4', {}, 'Answer'),
      element('p', {}, status, ` ${ms} ms, ${size}`),
      ...refusal(answer, body),
      ...headerLists(answer.headers),
      element('pre', { tabIndex: 0 }, code),
      ...(shown.length > MAX_SHOWN_CHARACTERS
        ? [element('p', {}, 'Only the beginning of this long text is shown.')]
        : []),
      ...nextPage(form, answer.headers.get('link')),
    )
  for (const folded of form.querySelectorAll('.panel > .sample')) folded.open = false
  forgetColours()
  colour(code)
  tellRefusals(form, body?.errors ?? [])
  told.textContent = `Answered ${answer.status} in ${ms} milliseconds`
}

function refusal({ ok }, body) {
  if (ok || !body?.type) return []
  const meaning = element('a', { href: new URL(body.type, base).hash }, body.title)
  return [element('p', { className: 'note' }, meaning, `: ${body.detail}`)]
}

function headerLists(headers) {
  const names = Array.from(document.querySelectorAll('[id^="header-"] h3 a'), link => link.textContent)
  const known = new Map(names.map(name => [name.toLowerCase(), name]))
  const all = [...headers]
  const explained = all.filter(([name]) => known.has(name) && !UNREMARKABLE.has(name))
  const rest = all.filter(entry => !explained.includes(entry))
  const listed = entries =>
    element(
      'dl',
      { className: 'sent' },
      ...entries.flatMap(([name, value]) => [
        element('dt', {}, known.get(name) ?? name),
        element('dd', {}, value),
      ]),
    )
  const folded = element('details', {}, element('summary', {}, `${rest.length} other headers`), listed(rest))
  return [listed(explained), folded]
}

function nextPage(form, link) {
  const [, address] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? []
  if (address === undefined) return []
  const button = element('button', { type: 'button', className: 'button' }, 'Next page')
  button.addEventListener('click', () => {
    fill(form, new URL(address, base))
    send(form)
  })
  return [button]
}

function tellRefusals(form, errors) {
  for (const field of form.querySelectorAll('.parameter')) {
    const { name } = field.querySelector('[name]')
    const messages = errors.filter(({ parameter }) => parameter === name).map(({ message }) => message)
    field.querySelector('.refusal').textContent = messages.join('; ')
    for (const input of field.querySelectorAll('[name]')) {
      input.setAttribute('aria-invalid', String(messages.length > 0))
    }
  }
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Removes the highlights of text that is no longer shown. */
function forgetColours() {
  for (const highlight of CSS.highlights?.values() ?? []) {
    for (const range of highlight) if (!range.startContainer.isConnected) highlight.delete(range)
  }
}

/** Colours JSON with CSS highlights, because a page of 500 events would need twenty thousand elements. */
function colour(code) {
  if (!window.Highlight || code.className !== 'json') return
  const [text] = code.childNodes
  for (const { 0: word, 1: key, index } of text.data.matchAll(
    /("(?:[^"\\]|\\.)*"(?=:))|"(?:[^"\\]|\\.)*"/g,
  )) {
    const range = new StaticRange({
      startContainer: text,
      startOffset: index,
      endContainer: text,
      endOffset: index + word.length,
    })
    const name = key === undefined ? 'json-text' : 'json-key'
    if (!CSS.highlights.has(name)) CSS.highlights.set(name, new Highlight())
    CSS.highlights.get(name).add(range)
  }
}
