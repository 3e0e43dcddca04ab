import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReadyWish } from '#storage/ready-plan.ts'
import { FinishedField } from '#features/downloads/FinishedField.tsx'
import { shortLength } from '#format/duration.ts'
import { Button } from '#ui/Button.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import { bringReady, changeWish, useReady } from './keep-ready.ts'
import { tellsNetwork } from './network.ts'
import styles from './ready.module.css'

const HOURS = [2, 4, 6, 10, 20]
const ROOM: readonly (readonly [megabytes: number, label: string])[] = [
  [250, '250 MB'],
  [500, '500 MB'],
  [1000, '1 GB'],
  [4000, '4 GB'],
]

interface ReadySheetProps {
  owner: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Settings of titles kept ready: hours, networks, and turning it off. */
export function ReadySheet({ owner, open, onOpenChange }: ReadySheetProps) {
  const queryClient = useQueryClient()
  const { wish, phase } = useReady()
  const change = (part: Partial<Omit<ReadyWish, 'plan'>>) => void changeWish(queryClient, owner, part)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Ready for the tunnel">
      <div className="stack gap-5">
        {wish.plan.length === 0 && phase !== 'looking' && (
          <p>There’s nothing left to hear in your library.</p>
        )}
        <ul role="list" className={styles.plan}>
          {wish.plan.map(({ format, slug, title, begun, chapters }) => (
            <li key={`${format} ${slug}`}>
              <Link
                to={format === 'ebook' ? '/read/$slug' : '/player/$slug'}
                params={{ slug }}
                className="text-link"
              >
                {title}
              </Link>
              <p className="quiet">
                {begun ? 'From where you are, ' : ''}
                {format === 'ebook'
                  ? begun
                    ? 'e-book'
                    : 'E-book'
                  : shortLength(chapters.reduce((sum, { seconds }) => sum + seconds, 0))}
              </p>
            </li>
          ))}
        </ul>
        {phase === 'failed' && (
          <Button look="quiet" onClick={() => void bringReady(queryClient, owner)}>
            Try again
          </Button>
        )}
        <SelectField
          label="Hours to keep ready"
          value={wish.hours}
          onChange={({ target }) => change({ hours: Number(target.value) })}
        >
          {HOURS.map((hours) => (
            <option key={hours} value={hours}>
              {hours} hours
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Space it may take"
          value={wish.megabytes}
          onChange={({ target }) => change({ megabytes: Number(target.value) })}
        >
          {ROOM.map(([megabytes, label]) => (
            <option key={megabytes} value={megabytes}>
              {label}
            </option>
          ))}
        </SelectField>
        {tellsNetwork() && (
          <Switch
            label="Only on Wi-Fi"
            note="As far as this browser can tell."
            checked={!wish.anyNetwork}
            onChange={({ target }) => change({ anyNetwork: !target.checked })}
          />
        )}
        <FinishedField />
        <p>
          <Link to="/downloads" className="text-link">
            All downloads
          </Link>
        </p>
        <Button
          look="quiet"
          onClick={() => {
            change({ on: false })
            onOpenChange(false)
          }}
        >
          Stop keeping it ready
        </Button>
      </div>
    </Sheet>
  )
}
