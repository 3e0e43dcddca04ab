import { ExportIcon } from '@phosphor-icons/react/dist/csr/Export'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { installsFromShareMenu, useInstall } from '#app/pop-ups/install.ts'
import { shop } from '#features/shop-details/shop.ts'
import styles from './account.module.css'

/** The way to put the shop on the home screen; shown only where somebody looks for it. */
export function InstallPanel() {
  const { offer, installed } = useInstall()
  if (installed)
    return <p>{shop().name} is on your home screen. Downloads stay there until you remove them.</p>
  if (offer)
    return (
      <div className={styles.panel}>
        <p>
          From your home screen {shop().name} opens without a network, and your downloads are less likely to
          be cleared.
        </p>
        <Button look="quiet" onClick={() => void offer.prompt()}>
          Install {shop().name}
        </Button>
      </div>
    )
  if (installsFromShareMenu())
    return (
      <ol className={styles.steps}>
        <li>
          Tap <Icon of={ExportIcon} size={20} /> Share in your browser’s toolbar.
        </li>
        <li>Choose “Add to Home Screen”.</li>
        <li>Open {shop().name} from there and log in again: the installed app keeps its own downloads.</li>
      </ol>
    )
  return <p>Look for “Install” or “Add to Home screen” in your browser’s menu.</p>
}
