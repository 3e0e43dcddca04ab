import { useEffect, useRef, type RefObject } from 'react'
import { playerSettings } from '#features/player/settings.ts'
import { stepSpeed } from '#features/player/speed.ts'
import { usePlayer } from '#features/player/store.ts'

/** Actions of single keys while the player has focus (docs/design.md, Player). */
type KeyCommand =
  | 'toggle'
  | 'back'
  | 'forward'
  | 'previous'
  | 'next'
  | 'louder'
  | 'quieter'
  | 'slower'
  | 'faster'
  | 'bookmark'
  | 'chapters'
  | 'sleep'
  | 'mute'
  | 'minimise'
  | 'help'

/** These have no effect where only the system controls the volume. */
export const VOLUME_KEYS: ReadonlySet<string> = new Set(['↑ ↓', 'M'])
const VOLUME_COMMANDS: ReadonlySet<KeyCommand> = new Set(['louder', 'quieter', 'mute'])

/** For the list that `?` shows. */
export const keyList = ({
  backSeconds,
  forwardSeconds,
}: Jumps): readonly (readonly [keys: string, does: string])[] => [
  ['Space', 'Play or pause'],
  [
    '← →',
    backSeconds === forwardSeconds
      ? `Back or forward ${backSeconds} seconds`
      : `Back ${backSeconds} or forward ${forwardSeconds} seconds`,
  ],
  ['Shift ← →', 'Previous or next chapter'],
  ['↑ ↓', 'Louder or quieter'],
  ['< >', 'Slower or faster'],
  ['B', 'Bookmark this place'],
  ['C', 'Chapters'],
  ['S', 'Sleep timer'],
  ['M', 'Sound off or on'],
  ['Esc', 'Minimise the player'],
  ['?', 'This list'],
]

type Jumps = Readonly<Record<'backSeconds' | 'forwardSeconds', number>>

export type Key = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented'
>

/** The command of a key; undefined if a field, slider, button or the browser handles it. */
export function commandFor(event: Key, target: Element | null): KeyCommand | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (target?.closest('input:not([type=range]), textarea, select, [contenteditable], [role=menu]'))
    return undefined
  if (target?.closest('input[type=range], [role=slider]') && SLIDER_KEYS.has(key)) return undefined
  if (key === ' ' && target?.closest('button, a, summary')) return undefined
  if (event.shiftKey && key === 'ArrowLeft') return 'previous'
  if (event.shiftKey && key === 'ArrowRight') return 'next'
  return COMMANDS[key]
}

const SLIDER_KEYS = new Set([
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Home',
  'End',
])

const COMMANDS: Partial<Record<string, KeyCommand>> = {
  ' ': 'toggle',
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  ArrowUp: 'louder',
  ArrowDown: 'quieter',
  '<': 'slower',
  '>': 'faster',
  b: 'bookmark',
  c: 'chapters',
  s: 'sleep',
  m: 'mute',
  Escape: 'minimise',
  '?': 'help',
}

interface KeyActions {
  onOpen: (panel: 'chapters' | 'sleep' | 'keys') => void
  onBookmark: () => void
  onMinimise: () => void
}

const VOLUME_STEP = 0.1

/**
 * Handles single-key shortcuts while the focus is inside `region`, or on no element, as after a load; unless
 * the listener turned that off.
 */
export function useKeys(region: RefObject<HTMLElement | null>, actions: KeyActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const loud = useRef(1)

  useEffect(() => {
    const element = region.current
    if (!element) return undefined
    // Not React's event, which bubbles from sheets too: they are portals.
    const press = (event: KeyboardEvent) => {
      // A sheet that has just opened doesn't have the focus yet.
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      const command = commandFor(event, event.target instanceof Element ? event.target : null)
      if (!command || (command !== 'help' && !playerSettings().keys)) return
      if (VOLUME_COMMANDS.has(command) && usePlayer.getState().player?.engine.setsVolume === false) return
      event.preventDefault()
      obey(command, latest.current, loud)
    }
    const pressNowhere = (event: KeyboardEvent) => {
      if (event.target === document.body) press(event)
    }
    element.addEventListener('keydown', press)
    document.addEventListener('keydown', pressNowhere)
    return () => {
      element.removeEventListener('keydown', press)
      document.removeEventListener('keydown', pressNowhere)
    }
  }, [region])
}

function obey(
  command: KeyCommand,
  { onOpen, onBookmark, onMinimise }: KeyActions,
  loud: { current: number },
) {
  const { controls, state } = usePlayer.getState()
  if (!controls) return
  const mute = () => {
    if (state.volume > 0) loud.current = state.volume
    controls.setVolume(state.volume > 0 ? 0 : loud.current)
  }
  const act: Record<KeyCommand, () => void> = {
    toggle: () => controls.toggle(),
    back: () => controls.jump(-playerSettings().backSeconds),
    forward: () => controls.jump(playerSettings().forwardSeconds),
    previous: () => controls.previousChapter(),
    next: () => controls.nextChapter(),
    louder: () => controls.setVolume(state.volume + VOLUME_STEP),
    quieter: () => controls.setVolume(state.volume - VOLUME_STEP),
    slower: () => controls.setSpeed(stepSpeed(state.speed, -1)),
    faster: () => controls.setSpeed(stepSpeed(state.speed, 1)),
    bookmark: onBookmark,
    chapters: () => onOpen('chapters'),
    sleep: () => onOpen('sleep'),
    mute,
    minimise: onMinimise,
    help: () => onOpen('keys'),
  }
  act[command]()
}
