import type { Remedy } from '#contract/office/remedies.ts'
import { Link } from '@tanstack/react-router'
import { officeCall } from '../net/office-call.ts'
import { useAct } from '../net/use-act.ts'
import { Button, buttonClass } from './Button.tsx'

interface RemedyButtonProps {
  readonly remedy: Remedy
  /** The problem, for screen readers: several of these buttons have the same words. */
  readonly about: string
  readonly look?: 'beak' | 'quiet'
}

/** Does what a problem's remedy says, or goes where that is done. */
export function RemedyButton({ remedy: { kind, label, target }, about, look = 'quiet' }: RemedyButtonProps) {
  const act = useAct(() => send(kind, target), {
    changes: [['health'], ['today'], ['emails']],
    done: () => DONE[kind],
  })
  const name = `${label}: ${about}`
  if (kind === 'open')
    return (
      <Link to={target} className={buttonClass({ look, compact: true })} aria-label={name}>
        {label}
      </Link>
    )
  return (
    <span>
      <Button look={look} compact sends busy={act.busy} aria-label={name} onClick={() => void act.write()}>
        {label}
      </Button>
      {act.refusal && <span className="why bad">{act.refusal}</span>}
    </span>
  )
}

/** What a button of the office does needs no command in words. */
export const isForTerminal = (remedy: string): boolean => remedy.includes('npm run ')

const send = async (kind: Remedy['kind'], target: string): Promise<unknown> => {
  if (kind === 'back-up') return officeCall('POST /api/office/health/backups')
  if (kind === 'run-job')
    return officeCall('POST /api/office/health/jobs/{name}/run', { params: { name: target } })
  return officeCall('POST /api/office/emails/{id}/again', { params: { id: target } })
}

const DONE: Readonly<Record<Remedy['kind'], string>> = {
  open: '',
  'back-up': 'The backup begins in a moment.',
  'run-job': 'It runs in a moment.',
  'send-email': 'It is on its way again.',
}
