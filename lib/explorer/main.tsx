import { render } from 'preact'
import { App } from './app.tsx'

const room = document.getElementById('explorer')
// Behind a path mapping of the gateway more stands before it.
const baseUrl = new URL('.', window.location.href).href
if (room) {
  room.textContent = ''
  render(<App baseUrl={baseUrl} />, room)
}
