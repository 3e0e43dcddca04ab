import { WifiHighIcon } from '@phosphor-icons/react/dist/csr/WifiHigh'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './OfflineBadge.module.css'
import type { OfflineState } from './use-offline-state.ts'

/** Below the header. The region stays, so that its words are read when they come. */
export function OfflineBadge({ state }: { state: OfflineState }) {
  return (
    <div role="status">
      {state !== 'online' && (
        <div className={styles.badge}>
          <Wrap className={styles.line}>
            <Icon of={state === 'offline' ? WifiSlashIcon : WifiHighIcon} size={20} />
            {state === 'offline' ? 'You’re offline. Your downloads still play.' : 'Back online'}
          </Wrap>
        </div>
      )}
    </div>
  )
}
