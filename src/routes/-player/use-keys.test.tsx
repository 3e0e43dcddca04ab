// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderInApp, stagePlayer } from '#tests/support/player-screen.tsx'
import { Player } from './Player.tsx'
import { changePlayerSettings } from '#features/player/settings.ts'
import { usePlayer } from '#features/player/store.ts'

const onMinimise = vi.fn()
const onBookPage = vi.fn()
const show = () => renderInApp(<Player onMinimise={onMinimise} onBookPage={onBookPage} />)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const region = () => screen.getByRole('region', { name: 'Player' })

beforeEach(() => {
  vi.clearAllMocks()
  changePlayerSettings({ keys: true })
})
afterEach(cleanup)

describe('keys', () => {
  it('control the player while it has focus', async () => {
    const { engine, audio } = await stagePlayer()
    show()
    region().focus()
    await userEvent.keyboard(' ')
    expect(audio.paused).toBe(false)
    await userEvent.keyboard('{ArrowRight}')
    expect(engine.place().seconds).toBe(15)
    await userEvent.keyboard('>m')
    expect(engine.state()).toMatchObject({ speed: 1.1, volume: 0 })
    await userEvent.keyboard('m{Escape}')
    expect(engine.state().volume).toBe(1)
    expect(onMinimise).toHaveBeenCalledOnce()
  })

  it('PLAY-03: Space pauses after a click on a chapter; after a key press on it, Space stays with the row', async () => {
    const { audio } = await stagePlayer()
    show()
    const [, second] = screen.getAllByRole('listitem')
    const row = within(second!).getByRole('button')
    await userEvent.click(row)
    // Dispatch a mouse event ourselves: Testing Library's click has no pointer type.
    fireEvent(row, new PointerEvent('click', { bubbles: true, pointerType: 'mouse' }))
    await act(() => audio.arrives(30))
    expect(audio.paused).toBe(false)
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard(' ')
    expect(audio.paused).toBe(true)
  })

  it('control the player while nothing has the focus, as after a load, but not while another element has it', async () => {
    const { engine, audio } = await stagePlayer()
    renderInApp(
      <>
        <input aria-label="Search" />
        <Player onMinimise={onMinimise} onBookPage={onBookPage} />
      </>,
    )
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard(' {ArrowRight}')
    expect(audio.paused).toBe(false)
    expect(engine.place().seconds).toBe(15)
    await userEvent.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    act(() => (document.activeElement as HTMLElement).blur())
    await userEvent.keyboard('m')
    expect(engine.state().volume).toBe(1)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    screen.getByLabelText('Search').focus()
    await userEvent.keyboard('m {ArrowRight}')
    expect([engine.state().volume, engine.place().seconds]).toEqual([1, 15])
  })

  it('change the volume, and mute and unmute', async () => {
    const { engine } = await stagePlayer()
    show()
    region().focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(engine.state().volume).toBeCloseTo(0.8)
    await userEvent.keyboard('{ArrowUp}')
    expect(engine.state().volume).toBeCloseTo(0.9)
    await userEvent.keyboard('mm')
    expect(engine.state().volume).toBeCloseTo(0.9)
  })

  it('without a command are left to the browser', async () => {
    await stagePlayer()
    show()
    expect(fireEvent.keyDown(region(), { key: 'Tab' })).toBe(true)
    expect(fireEvent.keyDown(region(), { key: ' ' })).toBe(false)
  })

  it('can be turned off; the list still opens and shows that', async () => {
    const { audio } = await stagePlayer()
    changePlayerSettings({ keys: false })
    show()
    region().focus()
    await userEvent.keyboard(' ')
    expect(audio.playCalls).toBe(0)
    await userEvent.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
    expect(screen.getByText('They’re turned off in your settings.')).toBeTruthy()
  })

  it('for the volume are not offered where only the system controls it', async () => {
    const { player } = await stagePlayer()
    Object.defineProperty(player.engine, 'setsVolume', { value: false })
    show()
    region().focus()
    await userEvent.keyboard('m{ArrowRight}')
    expect(usePlayer.getState().state.volume).toBe(1)
    expect(player.engine.place().seconds).toBe(15)
    await userEvent.keyboard('?')
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(screen.queryByText('Louder or quieter')).toBeNull()
    expect(screen.getByText('Play or pause')).toBeTruthy()
  })

  it('pressed in a sheet stay in the sheet', async () => {
    const { audio } = await stagePlayer()
    show()
    await press('Sleep timer')
    await screen.findByRole('dialog', { name: 'Sleep timer' })
    await userEvent.keyboard('m{Escape}')
    expect(audio.volume).toBe(1)
    expect(onMinimise).not.toHaveBeenCalled()
  })

  it('belong to an open sheet even before it has the focus', async () => {
    await stagePlayer()
    show()
    const player = region()
    await press('Sleep timer')
    await screen.findByRole('dialog', { name: 'Sleep timer' })
    fireEvent.keyDown(player, { key: 'Escape' })
    expect(onMinimise).not.toHaveBeenCalled()
  })
})

describe('settings', () => {
  afterEach(() => changePlayerSettings({ backSeconds: 15, forwardSeconds: 15, bookmarksEarlier: false }))

  it('listening: jumps are 10 to 60 s per direction, on buttons, keys and in the list of keys', async () => {
    const { engine } = await stagePlayer()
    changePlayerSettings({ backSeconds: 10, forwardSeconds: 45 })
    show()
    await press('Forward 45 seconds')
    region().focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(engine.place().seconds).toBe(35)
    await userEvent.keyboard('?')
    expect(await screen.findByText('Back 10 or forward 45 seconds')).toBeTruthy()
  })

  it('listening: a bookmark is set 15 s before the press, if set so', async () => {
    const { ports, engine } = await stagePlayer()
    changePlayerSettings({ bookmarksEarlier: true })
    show()
    act(() => engine.goTo({ chapter: 2, seconds: 10 }))
    await press('Bookmark this place')
    expect([...ports.marks.values()]).toMatchObject([{ chapter: 1, seconds: 55 }])
  })
})
