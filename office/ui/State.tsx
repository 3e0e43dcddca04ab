import type { Icon as Glyph } from '@phosphor-icons/react/dist/lib/types'
import type { ReactNode } from 'react'
import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { CircleIcon } from '@phosphor-icons/react/dist/csr/Circle'
import { CircleDashedIcon } from '@phosphor-icons/react/dist/csr/CircleDashed'
import { CircleHalfIcon } from '@phosphor-icons/react/dist/csr/CircleHalf'
import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock'
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'

/** A state is a shape and a word, never a colour alone. */
export type StateKind =
  | 'on'
  | 'done'
  | 'half'
  | 'draft'
  | 'retired'
  | 'later'
  | 'look'
  | 'broken'
  | 'back'
  | 'none'

const LOOKS: Readonly<
  Record<StateKind, { readonly of: Glyph; readonly colour: string; readonly filled?: true }>
> = {
  on: { of: CircleIcon, colour: 'good', filled: true },
  done: { of: CheckIcon, colour: 'good' },
  half: { of: CircleHalfIcon, colour: 'accent', filled: true },
  draft: { of: CircleDashedIcon, colour: 'muted' },
  retired: { of: MinusIcon, colour: 'muted' },
  later: { of: ClockIcon, colour: 'accent' },
  look: { of: WarningIcon, colour: 'warning' },
  broken: { of: XIcon, colour: 'bad' },
  back: { of: ArrowUUpLeftIcon, colour: 'muted' },
  none: { of: CircleIcon, colour: 'muted' },
}

export function State({ kind, children }: { readonly kind: StateKind; readonly children: ReactNode }) {
  const { of, colour, filled } = LOOKS[kind]
  return (
    <span className={cx('state', colour)}>
      <Icon of={of} size={kind === 'on' || kind === 'none' ? 12 : 14} filled={filled ?? false} />
      {children}
    </span>
  )
}
