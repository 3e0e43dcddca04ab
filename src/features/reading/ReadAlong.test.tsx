// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { InStep } from '#features/in-step/in-step.ts'
import { usePosition } from '#features/player/position.ts'
import { announced } from '#ui/announce.ts'
import { renderInApp, stagePlayer } from '#tests/support/player-screen.tsx'
import type { Engine } from './engine.ts'
import { ReadAlong } from './ReadAlong.tsx'

const sentence = (start: number, cfi: string, isCertain = true) => ({
  ...{ chapter: 1, start, end: start + 4, cfi, isCertain, words: cfi },
})
const IN_STEP: InStep = {
  ...{ version: 'one', eBook: 'tide', text: 'a-text', hasSpokenEBook: false },
  chapters: [
    {
      ...{ number: 1, title: 'One', sound: 'a-sound', silences: [] },
      sentences: [sentence(0, 'cfi-1'), sentence(10, 'cfi-2'), sentence(20, 'cfi-3', false)],
    },
  ],
}
const spot = (locator: string) => ({
  ...{ locator, share: 0.1, turned: undefined, chapter: '', chapterHref: null, minutesLeft: 0 },
})

/** The sentences on the page that is shown. */
let page: readonly string[]
const spoken = {
  show: vi.fn(),
  isInView: (cfi: string) => page.includes(cfi),
  bring: vi.fn(async () => undefined),
  isBringing: () => false,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
const engine = { spoken } as unknown as Engine
const stopped = vi.fn()

beforeEach(() => void (page = ['cfi-1']))
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

async function readAlong(sound = 'a-sound') {
  const chapters = [{ number: 1, title: 'The orchard', seconds: 600, bytes: 0, sound }]
  const staged = await stagePlayer({ slug: 'tide-read-aloud', chapters })
  const part = (locator: string) => (
    <ReadAlong
      along={{ inStep: IN_STEP, around: () => undefined, from: () => undefined }}
      engine={engine}
      audioBook="tide-read-aloud"
      spot={spot(locator)}
      onStop={stopped}
    />
  )
  const { rerender } = renderInApp(part('page-1'))
  return { ...staged, part, rerender }
}
const hear = (seconds: number) =>
  act(() => usePosition.setState({ chapter: 1, seconds, duration: 600, buffered: 600 }))
const back = () => screen.queryByRole('button', { name: 'Back to where it plays' })

test('in step: the spoken sentence is marked, and a page turns only when the next sentence isn’t on it', async () => {
  page = ['cfi-1', 'cfi-2']
  await readAlong()
  hear(1)
  expect(spoken.show).toHaveBeenLastCalledWith(expect.objectContaining({ cfi: 'cfi-1' }))
  hear(11)
  expect(spoken.show).toHaveBeenLastCalledWith(expect.objectContaining({ cfi: 'cfi-2' }))
  expect(spoken.bring).not.toHaveBeenCalled()
  hear(21)
  expect(spoken.bring).toHaveBeenCalledExactlyOnceWith('cfi-3')
})

test('in step: screen readers are not talked over: nothing is announced while sentences change', async () => {
  await readAlong()
  hear(1)
  const before = announced()
  hear(11)
  hear(21)
  expect(announced()).toBe(before)
  expect(document.querySelectorAll('[aria-live], [role=status], [role=alert]')).toHaveLength(0)
})

test('in step: an estimated sentence is labelled “About here”', async () => {
  await readAlong()
  hear(11)
  expect(screen.queryByText(/^About here/)).toBeNull()
  hear(21)
  expect(screen.getByText(/^About here, 10 min left/)).toBeTruthy()
})

test('in step: sound of another version gets no marks, and turns no pages', async () => {
  await readAlong('another-sound')
  hear(11)
  expect(spoken.show).not.toHaveBeenCalledWith(expect.objectContaining({ cfi: 'cfi-2' }))
  expect(spoken.bring).not.toHaveBeenCalled()
})

test('in step: stopping pauses the sound', async () => {
  const { engine: player } = await readAlong()
  act(() => player.play())
  fireEvent.click(screen.getByRole('button', { name: 'Stop listening' }))
  expect(player.state().status).toBe('paused')
  expect(stopped).toHaveBeenCalledOnce()
  expect(back()).toBeNull()
})
