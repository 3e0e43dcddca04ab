/** The action of a single key while the player has focus (docs/design.md, Player). */
export type KeyCommand =
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

/** These do nothing where the system alone decides how loud it is. */
export const VOLUME_KEYS: ReadonlySet<string> = new Set(['↑ ↓', 'M'])
export const VOLUME_COMMANDS: ReadonlySet<KeyCommand> = new Set(['louder', 'quieter', 'mute'])

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

/** The meaning of a key; undefined where it belongs to somebody else: a field, a slider, a button, the browser. */
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
