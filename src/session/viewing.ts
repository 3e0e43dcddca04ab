import { localStore, tabStorage } from '#storage/page-storage.ts'

const FRAGMENT = '#view='
/** In session storage: `TOKEN,END,NAME`. */
const KEY = 'viewing'

/**
 * A tab in which a member of staff sees the shop as somebody else. `main.tsx` imports it before anything reads storage:
 * such a tab has a storage of its own in memory, as in a browser that blocks it, so that the log-in and the data of
 * whoever uses this browser stay as they are, and nothing of the other person is stored. No React and no stylesheet,
 * since every visitor's first page names what this file needs.
 */
function openView(): void {
  // It outlives the pages of the tab; `main.tsx` reads it.
  window.name = FRAGMENT
  if (location.hash.startsWith(FRAGMENT)) {
    tabStorage.setItem(KEY, location.hash.slice(FRAGMENT.length))
    history.replaceState(history.state, '', location.pathname)
  }
  const [token = '', endsAtMs = '', name = ''] = (tabStorage.getItem(KEY) ?? '').split(',')
  keepInMemory()
  localStore.setItem('token', token)
  showBar(decodeURIComponent(name), Number(endsAtMs))
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
  leave.addEventListener('click', leaveView)
  bar.append(words, leave)
  document.body.prepend(bar)
}

/** Back to the shop as whoever uses this browser. */
function leaveView(): void {
  tabStorage.removeItem(KEY)
  window.name = ''
  location.replace('/')
}

openView()
