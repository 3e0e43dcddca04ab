import { Dialog } from '#ui/Dialog.tsx'
import { Button } from '../ui/Button.tsx'
import { exactly } from '../ui/when.ts'
import type { Editing } from './use-document.ts'

/** Conflict dialog: a colleague saved the document meanwhile. Shows both versions; the user keeps one of them. */
export function TwoVersions({
  editing: { conflict, content, keepMine, takeTheirs },
}: {
  readonly editing: Pick<Editing<unknown>, 'conflict' | 'content' | 'keepMine' | 'takeTheirs'>
}) {
  if (!conflict) return null
  const who = conflict.savedBy ?? 'Somebody'
  const differing = differences(content, conflict.content)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && keepMine()}
      title={`${who} saved this while you were typing`}
      closeLabel="Keep mine"
      actions={
        <Button look="solid" onClick={takeTheirs}>
          Take {who}’s
        </Button>
      }
    >
      <p>
        {conflict.savedAt && `Saved ${exactly(conflict.savedAt)}. `}
        Neither is lost: the one you don’t keep is in the history once it was published.
      </p>
      {differing.length === 0 && <p>Both say the same.</p>}
      <dl className="two-versions">
        {differing.slice(0, DIFFERENCES_AT_MOST).map(({ field, mine, theirs }) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              <b>Yours</b>
              <pre>{mine}</pre>
            </dd>
            <dd>
              <b>{who}’s</b>
              <pre>{theirs}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const DIFFERENCES_AT_MOST = 12

function differences(mine: unknown, theirs: unknown) {
  const [one, two] = [leavesOf(mine), leavesOf(theirs)]
  return [...new Set([...one.keys(), ...two.keys()])]
    .filter((field) => one.get(field) !== two.get(field))
    .map((field) => ({ field, mine: one.get(field) ?? 'nothing', theirs: two.get(field) ?? 'nothing' }))
}

function leavesOf(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      leavesOf(inner, path ? `${path}, ${words(key)}` : words(key), into)
  else if (value !== null && value !== '')
    into.set(path, typeof value === 'string' ? value : JSON.stringify(value))
  return into
}

/** `shortDescription` → `short description`, `0` → `1` */
const words = (key: string): string =>
  /^\d+$/.test(key)
    ? String(Number(key) + 1)
    : key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
