import { Dialog } from '#ui/Dialog.tsx'
import { useMe } from '../net/me.ts'
import { placesFor } from './places.ts'

const ALWAYS: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'search everything'],
  ['Ctrl Enter', 'do the next thing: the yellow button'],
  ['Ctrl S', 'save'],
  ['F6', 'go across, between a drawer and the page'],
  ['Esc', 'go back one'],
]
const SINGLE: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'the page’s own search'],
  ['J K', 'next and previous row'],
  ['X', 'select the row'],
  ['Enter', 'open the row'],
  ['?', 'this list'],
]

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const { role, singleKeys } = useMe()
  const places = placesFor(role).flatMap(({ key, name }) =>
    key ? [[`G ${key.toUpperCase()}`, name] as const] : [],
  )
  return (
    <Dialog open onOpenChange={onClose} title="Keys">
      <dl className="facts">
        {[...ALWAYS, ...(singleKeys ? [...SINGLE, ...places] : [])].map(([keys, does]) => (
          <div key={keys}>
            <dt>{does}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      {!singleKeys && <p>Single letters are switched off under your name.</p>}
    </Dialog>
  )
}
