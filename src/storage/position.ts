const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = DIGITS.length
const SMALLEST = `A${'0'.repeat(26)}`

/**
 * A position between two others, or before or after one: text that is compared byte by byte. Positions are
 * fractional, so that moving a row changes no other row, and two devices may insert rows in the same place
 * offline.
 *
 * A position is an integer, whose first letter gives its length, and a fraction: rows that are appended one
 * after another stay short.
 */
export function positionBetween(before: string | undefined, after: string | undefined): string {
  if (before === undefined) {
    if (after === undefined) return 'a0'
    const whole = integerOf(after)
    if (whole === SMALLEST) return whole + middle('', after.slice(whole.length))
    return whole < after ? whole : stepped(whole, -1)!
  }
  const whole = integerOf(before)
  const fraction = before.slice(whole.length)
  if (after !== undefined && integerOf(after) === whole)
    return whole + middle(fraction, after.slice(whole.length))
  const next = stepped(whole, 1)
  return next !== undefined && (after === undefined || next < after)
    ? next
    : whole + middle(fraction, undefined)
}

/** Sorts by position; if two devices chose the same one, by id. */
export const byPosition = (
  one: { readonly position: string; readonly id: string },
  other: { readonly position: string; readonly id: string },
): number => compare(one.position, other.position) || compare(one.id, other.id)

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** `a` to `z` start integers of 2 to 27 letters, `Z` to `A` those below zero. */
function integerOf(position: string): string {
  const head = position.codePointAt(0)!
  return position.slice(0, head >= 97 ? head - 95 : 92 - head)
}

/** A fraction between the two, in as few digits as possible. */
function middle(before: string, after: string | undefined): string {
  if (after !== undefined) {
    let same = 0
    while ((before[same] ?? '0') === after[same]) same += 1
    if (same > 0) return after.slice(0, same) + middle(before.slice(same), after.slice(same))
  }
  const low = before === '' ? 0 : DIGITS.indexOf(before[0]!)
  const high = after === undefined ? BASE : DIGITS.indexOf(after[0]!)
  if (high - low > 1) return DIGITS[Math.round((low + high) / 2)]!
  if (after !== undefined && after.length > 1) return after[0]!
  return DIGITS[low]! + middle(before.slice(1), undefined)
}

function stepped(integer: string, by: 1 | -1): string | undefined {
  const [head = '', ...digits] = integer
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    const digit = DIGITS.indexOf(digits[at]!) + by
    if (digit >= 0 && digit < BASE) {
      digits[at] = DIGITS[digit]!
      return head + digits.join('')
    }
    digits[at] = by === 1 ? '0' : 'z'
  }
  if (head === (by === 1 ? 'Z' : 'a')) return by === 1 ? 'a0' : 'Zz'
  if (head === (by === 1 ? 'z' : 'A')) return undefined
  const next = String.fromCodePoint(head.codePointAt(0)! + by)
  const longer = by === 1 ? next > 'a' : next < 'Z'
  return next + (longer ? [...digits, by === 1 ? '0' : 'z'] : digits.slice(1)).join('')
}
