// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { renderInApp, stagePlayer } from '#tests/support/player-screen.tsx'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { soon } from '#tests/support/wait-for.ts'
import { Player } from './Player.tsx'
import { changePlayerSettings, useLastSleep } from '#features/player/settings.ts'
import { usePlayer } from '#features/player/store.ts'

const { saveStoredZip } = vi.hoisted(() => ({ saveStoredZip: vi.fn() }))
vi.mock('#features/downloads/save-stored-zip.ts', () => ({ saveStoredZip }))

const onMinimise = vi.fn()
const onBookPage = vi.fn()
// These have their own tests.
vi.mock('#features/listening/EarlierPlaces.tsx', () => ({
  EarlierPlaces: ({ onDone }: { onDone: () => void }) => <button onClick={onDone}>Oranges, 12:40</button>,
}))
vi.mock('./FinishedNext.tsx', () => ({ FinishedNext: () => <p>Next on your shelf</p> }))

const show = () => renderInApp(<Player onMinimise={onMinimise} onBookPage={onBookPage} />)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
/** A paragraph by its whole text: titles are in italics. */
const line = (words: string) =>
  screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === words)
const region = () => screen.getByRole('region', { name: 'Player' })

beforeEach(() => {
  vi.clearAllMocks()
  localStorage.clear()
  useLastSleep.setState(useLastSleep.getInitialState(), true)
  changePlayerSettings({ keys: true })
})
afterEach(() => {
  cleanup()
  const shown = currentToast()
  if (shown) dismissToast(shown.id)
})

describe('the full player', () => {
  it('shows chapter, book and narrator, and plays', async () => {
    const { audio } = await stagePlayer()
    show()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The tide table')
    expect(line('The Salt Ledger, read by Della Voss')).toBeTruthy()
    await press('Play')
    expect(audio.paused).toBe(false)
    await press('Pause')
    expect(audio.paused).toBe(true)
  })

  it('listening: shows the book’s number in its series', async () => {
    await stagePlayer({ place: 'Book 2 of 5' })
    show()
    expect(line('The Salt Ledger (Book 2 of 5), read by Della Voss')).toBeTruthy()
  })

  it('PLAY-16: without audio the play button is disabled with a reason, and nothing plays', async () => {
    const { audio } = await stagePlayer({ chapters: [] })
    show()
    expect(screen.queryByRole('button', { name: 'Chapters' })).toBeNull()
    const play = screen.getByRole<HTMLButtonElement>('button', { name: 'Play' })
    expect(play.disabled).toBe(true)
    expect(screen.getByText('There’s nothing to play yet')).toBeTruthy()
    await userEvent.click(play)
    region().focus()
    await userEvent.keyboard(' ')
    expect(audio.playCalls).toBe(0)
  })

  it('PLAY-02: its buttons jump 15 s, never before 0', async () => {
    const { engine } = await stagePlayer()
    show()
    await press('Forward 15 seconds')
    expect(engine.place().seconds).toBe(15)
    await press('Back 15 seconds')
    await press('Back 15 seconds')
    expect(engine.place()).toEqual({ chapter: 1, seconds: 0 })
  })

  it('PLAY-03: the chapters menu lists the chapters in order and plays the selected one', async () => {
    const { audio, engine } = await stagePlayer()
    show()
    await press('Chapters')
    const sheet = await screen.findByRole('dialog', { name: 'Chapters' })
    const rows = within(within(sheet).getByRole('list')).getAllByRole('button')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('The tide table'),
      expect.stringContaining('Two sets of books'),
      expect.stringContaining('The weighing room'),
    ])
    expect(rows[0]?.getAttribute('aria-current')).toBe('true')
    await userEvent.click(within(sheet).getByRole('button', { name: /Two sets of books/ }))
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
    expect(audio.paused).toBe(false)
  })

  it('PLAY-03: C goes to the current chapter of a list on the screen instead of opening another one', async () => {
    await stagePlayer()
    show()
    const row = within(screen.getByRole('region', { name: 'Chapters' })).getByRole('button', {
      current: true,
    })
    vi.spyOn(row, 'offsetHeight', 'get').mockReturnValue(60)
    region().focus()
    await userEvent.keyboard('c')
    expect(document.activeElement).toBe(row)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('PLAY-05: a sample shows chapters to users only', async () => {
    await stagePlayer({ kind: 'sample' })
    becomeVisitor()
    const { unmount } = show()
    expect(screen.queryByRole('button', { name: 'Chapters' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Chapters' })).toBeNull()
    unmount()
    await stagePlayer({ kind: 'sample' })
    const { unmount: leave } = show()
    expect(screen.getByRole('button', { name: 'Chapters' })).toBeTruthy()
    leave()
    await stagePlayer({ kind: 'recording' })
    show()
    expect(screen.queryByRole('button', { name: 'Chapters' })).toBeNull()
  })

  it('PLAY-09: shows a loading chapter, otherwise the source of the sound', async () => {
    const { audio, ports } = await stagePlayer()
    show()
    expect(screen.getByText('Streaming')).toBeTruthy()
    await press('Play')
    ports.absent.add(2)
    ports.goOffline()
    await act(flush)
    await act(() => audio.hears(60))
    expect(await screen.findByText('Loading next chapter')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Pause' }).getAttribute('aria-busy')).toBe('true')
  })

  it('PLAY-15: is full while shown, mini afterwards, and can be minimised', async () => {
    await stagePlayer()
    const { unmount } = show()
    expect(usePlayer.getState().display).toBe('full')
    await press('Minimise player')
    expect(onMinimise).toHaveBeenCalledOnce()
    unmount()
    expect(usePlayer.getState().display).toBe('mini')
  })

  it('ENT-35: title, display and jump lengths are state of the player', async () => {
    const { audio, engine } = await stagePlayer()
    expect([audio.src, usePlayer.getState().display]).toEqual([expect.stringMatching(/\S/), 'mini'])
    const first = audio.src
    show()
    expect(usePlayer.getState().display).toBe('full')
    await press('Forward 15 seconds')
    expect(usePlayer.getState().controls?.place()).toEqual({ chapter: 1, seconds: 15 })
    await press('Next chapter')
    await soon(() => expect(audio.src).not.toBe(first))
    engine.turnOff()
    expect(audio.src).toBe('')
  })

  it('PLAY-19: the speed menu changes the speed of the sound', async () => {
    const { audio, ports } = await stagePlayer()
    show()
    await press('1× Speed')
    await userEvent.click(await screen.findByRole('button', { name: '1.5×' }))
    expect(audio.playbackRate).toBe(1.5)
    await press('Faster')
    expect(audio.playbackRate).toBe(1.6)
    expect(ports.keptSpeeds.get('the-salt-ledger')).toBe(1.6)
  })

  it('CONST-09: the speed slider stops at 1.25 between 1.2 and 1.3', async () => {
    const { audio } = await stagePlayer()
    show()
    await press('1× Speed')
    await userEvent.click(await screen.findByRole('button', { name: '1.25×' }))
    const slider = screen.getByRole('slider', { name: 'Speed' })
    expect(slider.getAttribute('aria-valuetext')).toBe('1.25 times')
    act(() => slider.focus())
    await userEvent.keyboard('{ArrowRight}')
    expect(audio.playbackRate).toBe(1.3)
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(audio.playbackRate).toBe(1.2)
  })

  it('PLAY-20: the sleep menu sets a timer, shows it, and clears it', async () => {
    const { player } = await stagePlayer()
    show()
    await press('Sleep timer')
    await userEvent.click(await screen.findByRole('button', { name: '30 min' }))
    expect(player.sleep.state().leftSeconds).toBe(1800)
    await press('30 min, sleep timer')
    expect(await screen.findByText('Stops in 30 minutes')).toBeTruthy()
    await press('Add 15 min')
    expect(player.sleep.state().leftSeconds).toBe(2700)
    expect(await screen.findByText('Stops in 45 minutes')).toBeTruthy()
    await press('Turn off timer')
    expect(player.sleep.state().choice).toBeUndefined()
    expect(screen.getByRole('button', { name: 'Sleep timer', hidden: true })).toBeTruthy()
  })

  it('the sleep timer offers the last choice first, and the end of the next chapter', async () => {
    const { player } = await stagePlayer()
    show()
    await press('Sleep timer')
    const firstChoice = () =>
      within(screen.getByRole('group', { name: 'Stop after' })).getAllByRole('button')[0]
    await screen.findByRole('group', { name: 'Stop after' })
    expect(firstChoice()?.textContent).toBe('15 min')
    await press('End of next chapter')
    expect(player.sleep.state().choice).toEqual({ kind: 'nextChapter' })
    act(() => player.sleep.clear())
    await press('Sleep timer')
    await press('Last time: end of next chapter')
    expect(player.sleep.state().choice).toEqual({ kind: 'nextChapter' })
    await press('Next chapter end, sleep timer')
    expect(await screen.findByText('Stops at the end of the next chapter')).toBeTruthy()
    await press('45 min')
    await press('45 min, sleep timer')
    await screen.findByRole('group', { name: 'Stop after' })
    expect(firstChoice()?.textContent).toBe('Last time: 45 min')
  })

  it('CONST-10: a custom time has hours 0 to 12 and minutes 0 to 60 by five', async () => {
    const { player } = await stagePlayer()
    show()
    await press('Sleep timer')
    const values = (name: string) =>
      within(screen.getByLabelText(name))
        .getAllByRole('option')
        .map((option) => option.textContent)
    await screen.findByLabelText('Hours')
    expect(values('Hours')).toEqual(Array.from({ length: 13 }, (_, hour) => String(hour)))
    expect(values('Minutes')).toEqual(Array.from({ length: 13 }, (_, step) => String(step * 5)))
    await userEvent.selectOptions(screen.getByLabelText('Hours'), '1')
    await userEvent.selectOptions(screen.getByLabelText('Minutes'), '5')
    await press('Set timer')
    expect(player.sleep.state().leftSeconds).toBe(65 * 60)
  })

  it('PLAY-14: during the fade the play button keeps it playing', async () => {
    const { audio, engine, player } = await stagePlayer()
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    show()
    await press('Play')
    act(() => player.sleep.start({ kind: 'minutes', minutes: 15 }))
    now = 890_000
    await act(() => audio.hears(0.25))
    expect(audio.volume).toBeCloseTo(0.5)
    await press('Keep playing')
    expect(audio.volume).toBe(1)
    expect(engine.state().status).toBe('playing')
    vi.restoreAllMocks()
  })

  it('PLAY-14: without volume control the end is announced once, and can be postponed', async () => {
    const { audio, engine, player } = await stagePlayer()
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const hearAt = async (seconds: number) => {
      now = seconds * 1000
      await act(() => audio.hears(0.25))
      return currentToast()?.text
    }
    const asleepIn15Minutes = async () => {
      engine.play()
      await act(flush)
      player.sleep.start({ kind: 'minutes', minutes: 15 })
    }
    await asleepIn15Minutes()
    expect(await hearAt(890)).toBeUndefined()
    player.sleep.clear()

    Object.defineProperty(engine, 'setsVolume', { value: false })
    now = 0
    await asleepIn15Minutes()
    expect(await hearAt(879)).toBeUndefined()
    expect(await hearAt(881)).toBe('The sound stops in 20 seconds.')
    const { id, action } = currentToast()!
    dismissToast(id)
    expect(await hearAt(882)).toBeUndefined()
    action?.onPress()
    expect(player.sleep.state()).toMatchObject({ leftSeconds: 900, fading: false })
    vi.restoreAllMocks()
  })

  it('PLAY-21, PLAY-22: the menu opens the book page and turns the player off', async () => {
    const { audio, engine } = await stagePlayer()
    show()
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Go to book page' }))
    expect(onBookPage).toHaveBeenCalledExactlyOnceWith('the-salt-ledger')
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Turn off player' }))
    expect(engine.state().status).toBe('off')
    expect(audio.src).toBe('')
    expect(onMinimise).toHaveBeenCalledOnce()
  })

  it('PLAY-04: the menu saves a zip of the stored chapters while offline', async () => {
    const { ports } = await stagePlayer()
    ports.goOffline()
    show()
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Download as zip' }))
    await soon(() => expect(saveStoredZip).toHaveBeenCalledWith(expect.any(String), 'the-salt-ledger'))
  })

  it('sets and removes a bookmark, and stores a note', async () => {
    const { ports, engine } = await stagePlayer()
    show()
    act(() => engine.goTo({ chapter: 1, seconds: 10 }))
    await press('Bookmark this place')
    expect(currentToast()?.text).toBe('Bookmarked at 0:10')
    act(() => currentToast()?.otherAction?.onPress())
    expect(ports.marks.size).toBe(0)

    await press('Bookmark this place')
    act(() => currentToast()?.action?.onPress())
    await userEvent.type(await screen.findByLabelText('Note'), 'The second ledger')
    await press('Save note')
    expect([...ports.marks.values()]).toMatchObject([{ chapter: 1, seconds: 10, note: 'The second ledger' }])
    expect(await screen.findByText('The second ledger')).toBeTruthy()
    await press('Remove The tide table, 0:10')
    expect(await screen.findByText(/Nothing marked yet/)).toBeTruthy()
  })

  it('an earlier version of a note is shown with the note, and can be restored', async () => {
    const { ports, engine } = await stagePlayer()
    show()
    act(() => engine.goTo({ chapter: 1, seconds: 10 }))
    await press('Bookmark this place')
    const [id = ''] = ports.marks.keys()
    ports.earlierNotes.set(id, [
      { note: 'The second ledger', changedAt: '2026-11-03T08:42:00Z' },
      { note: '', changedAt: '2026-11-02T08:42:00Z' },
    ])
    act(() => currentToast()?.action?.onPress())
    const note = await screen.findByLabelText('Note')
    await userEvent.type(note, 'Another')
    await press('Earlier versions')
    expect(await screen.findByText('The second ledger')).toBeTruthy()
    // An empty version can't be restored.
    await press('Use this one')
    expect(document.activeElement).toBe(note)
    expect([...ports.marks.values()]).toMatchObject([{ note: '' }])
    await press('Save note')
    expect([...ports.marks.values()]).toMatchObject([{ note: 'The second ledger' }])
  })

  it('reports earlier versions that can’t be fetched now', async () => {
    const { ports } = await stagePlayer()
    ports.goOffline()
    show()
    await press('Bookmark this place')
    act(() => currentToast()?.action?.onPress())
    await press('Earlier versions')
    expect(await screen.findByText('Earlier versions need a connection.')).toBeTruthy()
  })
})

describe('the scrubber', () => {
  it('trap 35: has its position as text, and moves by 5 s, a minute, and to both ends', async () => {
    const { engine } = await stagePlayer()
    show()
    const slider = screen.getByRole('slider', { name: 'Position in chapter' })
    expect(slider.getAttribute('aria-valuetext')).toBe('0 seconds of 1 minute')
    act(() => slider.focus())
    const at = async (key: string) => {
      await userEvent.keyboard(key)
      return engine.place().seconds
    }
    expect(await at('{ArrowRight}')).toBe(5)
    expect(await at('{ArrowRight}')).toBe(10)
    expect(await at('{ArrowLeft}')).toBe(5)
    expect(await at('{End}')).toBe(60)
    expect(await at('{Home}')).toBe(0)
    expect(await at('{PageUp}')).toBe(60)
  })

  it('trap 35: the position is announced only when the listener moves', async () => {
    const { audio } = await stagePlayer()
    show()
    await press('Play')
    const slider = screen.getByRole('slider', { name: 'Position in chapter' })
    act(() => slider.focus())
    const words = slider.getAttribute('aria-valuetext')
    await act(() => audio.hears(10))
    expect(slider.getAttribute('aria-valuetext')).toBe(words)
    await userEvent.keyboard('{ArrowRight}')
    expect(slider.getAttribute('aria-valuetext')).toBe('15 seconds of 1 minute')
    expect(document.querySelector('[aria-live], [role=status], [role=timer]')).toBeNull()
  })
})

describe('after a long jump', () => {
  const goBack = () => screen.queryByRole('button', { name: 'Go back' })

  it('a ring marks the old place, and Go back returns there for 10 s', async () => {
    const { player, engine } = await stagePlayer()
    vi.useFakeTimers()
    show()
    const { controls } = usePlayer.getState()
    act(() => engine.goTo({ chapter: 1, seconds: 10 }))
    act(() => controls?.goTo({ chapter: 1, seconds: 55 }))
    expect(screen.getByText('You were at 0:10')).toBeTruthy()
    expect(document.querySelector('.ring')).toBeTruthy()
    act(() => goBack()?.click())
    expect(engine.place()).toEqual({ chapter: 1, seconds: 10 })
    expect(goBack()).toBeNull()

    act(() => controls?.goTo({ chapter: 2, seconds: 20 }))
    expect(screen.getByText('You were at 0:10 of The tide table')).toBeTruthy()
    // A second move within 10 s leads back to where the first began.
    act(() => controls?.goTo({ chapter: 3, seconds: 20 }))
    expect(usePlayer.getState().jumpedFrom).toEqual({ chapter: 1, seconds: 10 })
    act(() => void vi.advanceTimersByTime(10_000))
    expect(goBack()).toBeNull()
    expect(player.engine.place()).toEqual({ chapter: 3, seconds: 20 })
    vi.useRealTimers()
  })

  it('15 seconds are not a long jump', async () => {
    await stagePlayer()
    show()
    await press('Forward 15 seconds')
    expect(goBack()).toBeNull()
  })
})

describe('the whole book', () => {
  it('figures and scrubber change together, and the time left depends on the speed', async () => {
    const { engine } = await stagePlayer()
    show()
    act(() => engine.setSpeed(2))
    expect(screen.getByText('−0:30')).toBeTruthy()
    await press(/^−0:30, 30 seconds left in the chapter/)
    // 60, 30 and 40 s of sound are 65 s at double speed.
    const slider = screen.getByRole('slider', { name: 'Position in book' })
    expect(slider.getAttribute('aria-valuetext')).toBe('0 seconds of 2 minutes 10 seconds')
    expect(
      screen.getByRole('button', { name: /^−1:05 in book, 1 minute 5 seconds left in the book/ }),
    ).toBeTruthy()
    act(() => slider.focus())
    await userEvent.keyboard('{PageUp}{PageUp}')
    expect(engine.place()).toEqual({ chapter: 3, seconds: 30 })
  })

  it('is not offered for a single chapter, even if chosen for another book', async () => {
    const sample = [{ number: 1, title: 'Sample', seconds: 0, bytes: 1 }]
    const { engine } = await stagePlayer({ kind: 'sample', chapters: sample })
    usePlayer.setState({ wholeBook: true })
    show()
    engine.play()
    await act(flush)
    // Only the element has its length.
    const slider = screen.getByRole('slider', { name: 'Position in chapter' })
    expect(slider.getAttribute('aria-valuetext')).toBe('0 seconds of 1 minute')
  })
})

describe('the end of a book', () => {
  it('has its own screen with the next titles, until playback restarts', async () => {
    const { engine } = await stagePlayer()
    show()
    act(() => engine.load(engine.state().title!, { chapter: 3, seconds: 40 }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You’ve finished The Salt Ledger')
    expect(screen.getByText('Next on your shelf')).toBeTruthy()
    expect(screen.queryByRole('slider')).toBeNull()
    act(() => engine.play())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The tide table')
  })
})

describe('earlier places', () => {
  it('are in the menu for users with a history, and choosing one closes the sheet', async () => {
    await stagePlayer()
    show()
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Listening history' }))
    await press('Oranges, 12:40')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Listening history' })).toBeNull())
  })
})

it('time heard and time left add up to the chapter’s length in the list', async () => {
  const { audio, player } = await stagePlayer()
  player.engine.load(
    { ...player.engine.state().title!, chapters: [{ number: 1, title: 'One', seconds: 65.4, bytes: 1 }] },
    undefined,
  )
  await act(() => audio.arrives(65.4))
  show()
  expect(screen.getByText('1:05')).toBeTruthy()
  expect(screen.getByText('−1:05')).toBeTruthy()
  act(() => player.engine.goTo({ chapter: 1, seconds: 10.8 }))
  expect(screen.getByText('0:10')).toBeTruthy()
  expect(screen.getByText('−0:55')).toBeTruthy()
})

it('ticks the chapters before the current one as heard in a book, not in a sample', async () => {
  const rows = () =>
    [...document.querySelectorAll('ol button')].map((row) => row.textContent.endsWith('heard'))
  const { player } = await stagePlayer()
  show()
  act(() => player.engine.goTo({ chapter: 2, seconds: 5 }))
  expect(rows().slice(0, 3)).toEqual([true, false, false])
  cleanup()
  becomeUser({ uuid: 'u', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  const sample = await stagePlayer({ kind: 'sample' })
  show()
  act(() => sample.player.engine.goTo({ chapter: 2, seconds: 5 }))
  expect(rows().some(Boolean)).toBe(false)
})
