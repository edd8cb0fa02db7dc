import { render } from 'preact'
import { App } from './app.tsx'
import { StatusPage } from './parts/status-page.tsx'
import { readLocalContracts } from './state/local-contracts.ts'

const room = document.getElementById('explorer')
// The base URL is derived from the page's URL, because the gateway's path mapping may add a prefix to the path.
const baseUrl = new URL('.', window.location.href).href
const isStatus = new URLSearchParams(window.location.search).get('view') === 'status'
if (room) {
  room.textContent = ''
  render(
    isStatus ? (
      <StatusPage baseUrl={baseUrl} />
    ) : (
      <App baseUrl={baseUrl} localContracts={readLocalContracts(room)} />
    ),
    room,
  )
}
