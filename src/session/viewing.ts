import { VIEW_HANDOVER_KEY } from '#contract/view-handover.ts'
import { localStore, tabStorage } from '#storage/page-storage.ts'

const FRAGMENT = '#view'
/** In session storage: `TOKEN,END,NAME`. */
const KEY = 'viewing'

/**
 * A tab in which a member of staff views the shop as a customer. `main.tsx` imports this file before anything reads
 * storage: the tab keeps its data in memory, as in a browser that blocks storage, so that the browser's own log-in and
 * data stay as they are, and nothing of the customer is stored. It imports no React and no stylesheet, since every
 * visitor's first page lists this file's imports.
 */
function openView(): void {
  if (location.hash === FRAGMENT) {
    const handedOver = localStore.getItem(VIEW_HANDOVER_KEY)
    localStore.removeItem(VIEW_HANDOVER_KEY)
    if (handedOver) tabStorage.setItem(KEY, handedOver)
    history.replaceState(history.state, '', location.pathname)
  }
  const view = tabStorage.getItem(KEY)
  // It outlives the pages of the tab; `main.tsx` reads it. A link from elsewhere opens the shop as usual.
  window.name = view ? FRAGMENT : ''
  if (!view) return
  const [token = '', endsAtMs = '', ...name] = view.split(',')
  keepInMemory()
  localStore.setItem('token', token)
  showBar(name.join(','), Number(endsAtMs))
}

function keepInMemory(): void {
  const denied = () => {
    throw new Error('This tab stores nothing.')
  }
  for (const name of ['localStorage', 'indexedDB', 'caches'])
    Object.defineProperty(globalThis, name, { get: denied })
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: undefined })
}

/** On top of every screen, outside the app's own tree. */
function showBar(name: string, endsAtMs: number): void {
  const bar = document.createElement('div')
  bar.role = 'region'
  bar.ariaLabel = 'You see the shop as somebody else'
  Object.assign(bar.style, {
    position: 'sticky',
    top: '0',
    zIndex: 'var(--z-notice)',
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 var(--s4)',
    alignItems: 'center',
    justifyContent: 'center',
    padding: 'var(--s1) var(--s4)',
    background: 'var(--surface)',
    borderBottom: '2px solid var(--danger)',
  })
  const words = document.createElement('p')
  words.textContent = `You see the shop as ${name}. Read only.`
  setTimeout(
    () => (words.textContent = `The half hour as ${name} is over.`),
    Math.max(0, endsAtMs - Date.now()),
  )
  const leave = document.createElement('button')
  leave.textContent = 'Leave'
  leave.className = 'text-link'
  leave.style.minHeight = '44px'
  leave.addEventListener('click', () => void leaveView())
  bar.append(words, leave)
  document.body.prepend(bar)
}

const LEAVE_WAITS_MS = 3_000

/** Ends the view on the server, and returns to the shop with the browser's own log-in. */
async function leaveView(): Promise<void> {
  const [token] = (tabStorage.getItem(KEY) ?? '').split(',')
  tabStorage.removeItem(KEY)
  window.name = ''
  await fetch('/api/view/leave', {
    method: 'POST',
    headers: { xtoken: `Bearer ${token}` },
    keepalive: true,
    signal: AbortSignal.timeout(LEAVE_WAITS_MS),
    // Without a connection the half hour ends it.
  }).catch(() => undefined)
  location.replace('/')
}

openView()
