import { Dialog } from '#ui/Dialog.tsx'
import styles from './sheets.module.css'
import { keyList, VOLUME_KEYS } from './keyboard.ts'
import type { SheetPartProps } from './sheet-style.ts'
import { usePlayerSettings } from './settings.ts'
import { usePlayer } from './store.ts'

export function KeysDialog({ open, onOpenChange }: SheetPartProps) {
  const settings = usePlayerSettings()
  const setsVolume = usePlayer((store) => store.player?.engine.setsVolume ?? true)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="stack gap-1-5">
        {keyList(settings)
          .filter(([key]) => setsVolume || !VOLUME_KEYS.has(key))
          .map(([key, does]) => (
            <div key={key} className={styles.keyRow}>
              <dt>
                <kbd className={styles.key}>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
      </dl>
      <p className={styles.keysNote}>
        {settings.keys
          ? 'They work while the player has focus. You can turn them off in settings.'
          : 'They’re turned off in your settings.'}
      </p>
    </Dialog>
  )
}
