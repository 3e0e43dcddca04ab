import type { ChapterSeconds } from '#storage/place.ts'
import type { Controls, PlayerRemote, EngineEvents, EngineState, Playback } from './engine-interface.ts'
import { createEmitter } from './emitter.ts'
import type { Playable } from './model.ts'

/**
 * Connects the player's window, which owns the sound, with the page that opened it, which controls it. Both
 * know the window's id, so that other tabs of the shop ignore the messages.
 */
export interface LinkNeeds {
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  readonly id: string
  /** The window holds a lock for its lifetime: the browser releases it even if the window crashes. */
  readonly locks: Pick<LockManager, 'request'>
}

interface Reading {
  readonly place: ChapterSeconds
  readonly duration: number
  readonly buffered: number
}

type Command = Exclude<keyof Controls, symbol>
type Message = { readonly id: string } & (
  | ({ readonly kind: 'state'; readonly state: EngineState } & Reading)
  | ({ readonly kind: 'tick' } & Reading)
  | { readonly kind: 'visit'; readonly path: string }
  | { readonly kind: 'hello' | 'close' }
  | { readonly kind: 'do'; readonly command: Command; readonly values: readonly unknown[] }
)

const CHANGES = ['change', 'seek', 'load', 'off'] as const
const lockName = (id: string) => `murmur-player-window-${id}`

export interface WindowSide {
  visit: (path: string) => void
}

/** In the player's window: posts the state four times a second, and runs the opener's commands. */
export function ownTheSound(needs: LinkNeeds & { player: PlayerRemote; close: () => void }): WindowSide {
  const { channel, id, locks, player, close } = needs
  const post = (message: Message) => channel.postMessage(message)
  const reading = () => ({ place: player.place(), duration: player.duration(), buffered: player.buffered() })
  const sendState = () => post({ id, kind: 'state', state: player.state(), ...reading() })

  for (const change of CHANGES) player.on(change, sendState)
  player.on('tick', () => post({ id, kind: 'tick', ...reading() }))
  player.on('off', close)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.id !== id) return
    if (data.kind === 'hello') sendState()
    if (data.kind === 'close') close()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side sends what its command takes
    if (data.kind === 'do') (player[data.command] as (...values: readonly unknown[]) => void)(...data.values)
  })
  // Silent until it holds the lock: the opener waits for the lock to be released.
  void locks.request(lockName(id), () => {
    sendState()
    return new Promise(() => undefined)
  })
  return { visit: (path) => post({ id, kind: 'visit', path }) }
}

export interface OpenerSide {
  /** Closes the window; its place arrives through `onGone`. */
  close: () => void
}

interface OpenerNeeds extends LinkNeeds {
  /** The window has answered: control it through `remote`. */
  onThere: (remote: PlayerRemote) => void
  /** The window has closed; `last` is its last message. */
  onGone: (last: { title: Playable | undefined; place: ChapterSeconds; speed: number }) => void
  onVisit: (path: string) => void
}

/** In the page that opened the window: a remote control for its player. */
export function steerTheWindow({ channel, id, locks, onThere, onGone, onVisit }: OpenerNeeds): OpenerSide {
  const post = (message: Message) => channel.postMessage(message)
  let last: (Reading & { readonly state: EngineState }) | undefined

  const { on, emit } = createEmitter<EngineEvents>()
  const send =
    (command: Command) =>
    (...values: unknown[]) =>
      post({ id, kind: 'do', command, values })
  const remote = (first: EngineState): PlayerRemote => ({
    play: send('play'),
    pause: send('pause'),
    toggle: send('toggle'),
    jump: send('jump'),
    goTo: send('goTo'),
    nextChapter: send('nextChapter'),
    previousChapter: send('previousChapter'),
    setSpeed: send('setSpeed'),
    setVolume: send('setVolume'),
    turnOff: send('turnOff'),
    on,
    state: () => last?.state ?? first,
    place: () => last?.place ?? { chapter: 0, seconds: 0 },
    duration: () => last?.duration ?? 0,
    buffered: () => last?.buffered ?? 0,
  })

  const arrive = (first: EngineState) => {
    onThere(remote(first))
    void locks.request(lockName(id), () => {
      const { state, place } = last!
      last = undefined
      onGone({ title: state.title, place, speed: state.speed })
    })
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.id !== id) return
    if (data.kind === 'visit') onVisit(data.path)
    if (data.kind === 'state') {
      const fresh = !last
      last = data
      if (fresh) arrive(data.state)
      emit('change', data.state)
    }
    if (data.kind === 'tick' && last) last = { ...last, ...pick(data) }
    if ((data.kind === 'tick' || data.kind === 'state') && last?.state.title) {
      const moment: Playback = { title: last.state.title, ...last.place, duration: last.duration }
      emit('tick', moment)
    }
  })
  post({ id, kind: 'hello' })
  return { close: () => post({ id, kind: 'close' }) }
}

const pick = ({ place, duration, buffered }: Reading): Reading => ({ place, duration, buffered })
