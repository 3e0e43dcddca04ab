// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { storeHomeSnapshot } from './home-snapshot.ts'
import { forgetStarted, type StartedTitle } from './started.ts'

const page = readFileSync('index.html', 'utf8')
const showSnapshot = [...page.matchAll(/<script>([^]*?)<\/script>/g)]
  .map(([, script]) => script!)
  .find((script) => script.includes('homeSnapshot'))!

const ledger = {
  key: 'audio/ledger',
  left: '2 h left',
  chapter: '4. The weighing room',
  share: 0.5,
} as unknown as StartedTitle
const atlas = { ...ledger, key: 'audio/atlas' } as StartedTitle

const BAND = `
  <section style="--title-bg: #1F3D43">
    <h1>The Salt Ledger</h1>
    <p data-started="chapter">4. The weighing room</p>
    <div data-started="share"><i style="transform: scaleX(0.5)"></i></div>
    <b data-started="left">2 h left</b>
    <button><span data-started="play">Play from 1:02</span></button>
  </section>`

/** Stores the band, then runs index.html's script at a start with these titles. */
function startAfter(titles: readonly StartedTitle[], { opening = 'user', path = '/', now = titles } = {}) {
  document.body.innerHTML = BAND
  storeHomeSnapshot(document.querySelector('section')!, titles)
  history.replaceState(null, '', path)
  localStorage.setItem('started', JSON.stringify({ titles: now }))
  document.documentElement.dataset['opening'] = opening
  document.body.innerHTML = '<header data-on-band="on-band"></header><div data-title-in-progress></div>'
  // oxlint-disable-next-line typescript/no-implied-eval -- as the browser runs it
  new Function(showSnapshot)()
  return document.querySelector('[data-title-in-progress]')!
}
const part = (home: Element, name: string) => home.querySelector(`[data-started=${name}]`)?.textContent

beforeEach(() => localStorage.clear())

test('HOME-18: the markup of the title in progress is shown at the next start, with the header in its colours', () => {
  const home = startAfter([ledger])
  expect(home.querySelector('h1')?.textContent).toBe('The Salt Ledger')
  expect(part(home, 'play')).toBe('Play from 1:02')
  const header = document.querySelector('header')!
  expect(header.className).toBe('on-band')
  expect(header.style.getPropertyValue('--title-bg')).toBe('#1F3D43')
  expect(document.documentElement.dataset['opening']).toBe('home')
})

test('the markup gets the progress that was stored after it, as text', () => {
  const now = [{ ...ledger, left: '1 h left', chapter: '5. <b>Salt</b>', share: 0.75 }]
  const home = startAfter([ledger], { now })
  expect(part(home, 'left')).toBe('1 h left')
  expect(part(home, 'chapter')).toBe('5. <b>Salt</b>')
  expect(part(home, 'play')).toBe('Play')
  expect(home.querySelector('i')?.style.transform).toBe('scaleX(0.75)')
})

test.each([
  ['other titles have been started since', { now: [atlas, ledger] }],
  ['the user has logged out', { opening: 'visitor' }],
  ['it is another page', { path: '/library' }],
  ['staff view the shop as a customer', { path: '/#view' }],
])('no markup is shown if %s', (_when, start) => {
  expect(startAfter([ledger], start).innerHTML).toBe('')
})

test('the markup is removed with what was started', () => {
  startAfter([ledger])
  expect(localStorage.getItem('homeSnapshot')).not.toBeNull()
  forgetStarted()
  expect(localStorage.getItem('homeSnapshot')).toBeNull()
})

test('markup of another release is not shown', () => {
  startAfter([ledger])
  const snapshot = JSON.parse(localStorage.getItem('homeSnapshot')!)
  localStorage.setItem('homeSnapshot', JSON.stringify({ ...snapshot, release: '/assets/older.js' }))
  const home = document.querySelector('[data-title-in-progress]')!
  home.innerHTML = ''
  document.documentElement.dataset['opening'] = 'user'
  // oxlint-disable-next-line typescript/no-implied-eval -- as the browser runs it
  new Function(showSnapshot)()
  expect(home.innerHTML).toBe('')
})
