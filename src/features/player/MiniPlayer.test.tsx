// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetStarted, keepStarted } from '#features/library/started.ts'
import { becomeVisitor, currentOwner } from '#session/store.ts'
import { ownBook } from '#storage/own-title.ts'
import { titleKey } from '#storage/title-key.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { stagePlayer } from '#tests/support/player-screen.tsx'
import { lastPlayedChapterTitle, storeLastPlayed } from './last-played.ts'
import { installPlayer } from './lazy.ts'
import { PlayerDock } from './PlayerDock.tsx'
import { soundElement } from './sound-element.ts'
import { usePlayer } from './store.ts'

const onOpen = vi.fn()
const onBookPage = vi.fn()
const show = async (name = 'Player') => {
  render(<PlayerDock onOpen={onOpen} onBookPage={onBookPage} />)
  return screen.findByRole('region', { name })
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

beforeEach(() => void vi.clearAllMocks())
afterEach(() => {
  cleanup()
  act(() => forgetStarted())
})

describe('the mini player', () => {
  it('is hidden without a title and while the full player is shown', async () => {
    usePlayer.setState(usePlayer.getInitialState(), true)
    const { container, rerender } = render(<PlayerDock onOpen={onOpen} onBookPage={onBookPage} />)
    expect(container.innerHTML).toBe('')
    await stagePlayer()
    usePlayer.setState({ display: 'full' })
    rerender(<PlayerDock onOpen={onOpen} onBookPage={onBookPage} />)
    expect(container.innerHTML).toBe('')
  })

  it('PLAY-15: shows title and chapter, and opens the full player by press or swipe', async () => {
    await stagePlayer()
    const mini = await show()
    expect(mini.textContent).toContain('The Salt Ledger')
    expect(mini.textContent).toContain('1. The tide table')
    await press(/Open the player/)
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ slug: 'the-salt-ledger', kind: 'book' }),
    )
    fireEvent.touchStart(mini, { touches: [{ clientY: 700 }] })
    fireEvent.touchEnd(mini, { changedTouches: [{ clientY: 600 }] })
    expect(onOpen).toHaveBeenCalledTimes(2)
  })

  it('PLAY-02: plays, pauses and jumps 15 s', async () => {
    const { audio, engine } = await stagePlayer()
    await show()
    await press('Play')
    expect(audio.paused).toBe(false)
    await press('Forward 15 seconds')
    expect(engine.place().seconds).toBe(15)
    await press('Back 15 seconds')
    expect(engine.place().seconds).toBe(0)
    await press('Pause')
    expect(audio.paused).toBe(true)
  })

  it('PLAY-03: its chapters menu plays the selected chapter', async () => {
    const { engine } = await stagePlayer()
    await show()
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Chapters' }))
    const sheet = await screen.findByRole('dialog', { name: 'Chapters' })
    await userEvent.click(within(sheet).getByRole('button', { name: /The weighing room/ }))
    expect(engine.place()).toEqual({ chapter: 3, seconds: 0 })
    expect(engine.state().status).toBe('waiting')
  })

  it('PLAY-05: for a visitor’s sample its menu has no chapters', async () => {
    await stagePlayer({ kind: 'sample' })
    becomeVisitor()
    await show()
    await press('More')
    expect(await screen.findByRole('menuitem', { name: 'Go to book page' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Chapters' })).toBeNull()
  })

  it('PLAY-21, PLAY-22: opens the book page; turning it off hides it and stops the sound', async () => {
    const { audio } = await stagePlayer()
    await show()
    await press('Play')
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Go to book page' }))
    expect(onBookPage).toHaveBeenCalledExactlyOnceWith('the-salt-ledger')
    await press('More')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Turn off player' }))
    expect(audio.paused).toBe(true)
    expect(screen.queryByRole('region', { name: 'Player' })).toBeNull()
  })

  describe('after a reload', () => {
    const ref = { slug: 'the-salt-ledger', kind: 'book' } as const
    const { bookBackgroundColour, ...book } = aTitle({ slug: ref.slug, title: 'The Salt Ledger', series: [] })
    const started = {
      key: titleKey('audio', ref.slug),
      book: ownBook({ ...book, bookBackgroundColour }),
      ...{ share: 0.5, left: '1 min left', chapter: '2. Two sets of books' },
      place: { chapter: 2, seconds: 15 },
    }
    const reloaded = async (titles = [started]) => {
      const running = await stagePlayer()
      running.engine.turnOff()
      storeLastPlayed(aPlayable())
      act(() => keepStarted(currentOwner()!, titles, true))
      return running
    }

    it('PLAY-15: the last book is back, paused, at its place, and the first press loads and plays it', async () => {
      await reloaded()
      vi.spyOn(soundElement(), 'play').mockResolvedValue()
      const ports = vi.fn(() => fakePorts())
      installPlayer({ ports, visit: () => undefined })
      const mini = await show('Last played')
      expect(mini.textContent).toContain('The Salt Ledger')
      expect(mini.textContent).toContain('2. Two sets of books')
      expect(ports).not.toHaveBeenCalled()
      await press('Play')
      await within(mini).findByRole('button', { name: 'Pause' })
      expect(usePlayer.getState().state.title?.slug).toBe(ref.slug)
    })

    it('PLAY-15: a page that shows it itself, a finished book, or one that is no longer owned has none', async () => {
      await reloaded()
      const { container, rerender } = render(
        <PlayerDock pageShowsStarted onOpen={onOpen} onBookPage={onBookPage} />,
      )
      expect(container.innerHTML).toBe('')
      act(() => keepStarted(currentOwner()!, [], true))
      rerender(<PlayerDock onOpen={onOpen} onBookPage={onBookPage} />)
      expect(container.innerHTML).toBe('')
    })

    it('PLAY-21: turned off, it stays off', async () => {
      await reloaded()
      await show('Last played')
      await press('More')
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Turn off player' }))
      expect(screen.queryByRole('region')).toBeNull()
      expect(localStorage.getItem('murmur.last-played')).toBeNull()
    })

    it('the player remembers a book as it opens, and not a sample', async () => {
      const { engine } = await stagePlayer()
      expect(lastPlayedChapterTitle(ref.slug, 1)).toBe(aPlayable().chapters[0]!.title)
      act(() => engine.load(aPlayable({ kind: 'sample' }), undefined))
      expect(lastPlayedChapterTitle(ref.slug, 1)).toBeUndefined()
    })
  })

  it('PLAY-16: without sound its buttons are disabled', async () => {
    const { audio } = await stagePlayer({ chapters: [] })
    await show()
    await press('Play')
    expect(audio.playCalls).toBe(0)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Play' }).disabled).toBe(true)
  })

  it('controls the player’s window while that window plays', async () => {
    const { engine } = await stagePlayer()
    const toggle = vi.fn()
    act(() => usePlayer.setState({ isInOtherWindow: true, controls: { ...engine, toggle } }))
    await show()
    expect(screen.getByRole('button', { name: /Show the player’s window/ })).toBeTruthy()
    await press('Play')
    expect(toggle).toHaveBeenCalledOnce()
    expect(engine.state().status).toBe('paused')
  })

  it('reports and shows that it is waiting for sound', async () => {
    const { audio, ports } = await stagePlayer()
    const mini = await show()
    await press('Play')
    ports.absent.add(2)
    ports.goOffline()
    await act(flush)
    await act(() => audio.hears(60))
    await within(mini).findByText(/Loading next chapter/)
    expect(within(mini).getByRole('button', { name: 'Pause' }).getAttribute('aria-busy')).toBe('true')
  })

  it('trap 21: shows that another tab took over the sound', async () => {
    const { ports } = await stagePlayer()
    const mini = await show()
    await press('Play')
    act(() => ports.loseSound())
    expect(mini.textContent).toContain('Playing elsewhere')
    await press('Play')
    expect(mini.textContent).toContain('1. The tide table')
  })
})
