import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { reloadPage } from '#storage/page-storage.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { shop } from '#features/shop-details/shop.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './banners.module.css'
import { offerUpdate, useUpdateOffer } from './update-offer.ts'

/**
 * Offers the new release in the header, where it covers nothing: the player, reader, sheets and dialogs have no header.
 * Hidden while a book plays (trap 17).
 */
export function UpdateNotice() {
  const takeOver = useUpdateOffer((state) => state.takeOver)
  const isSilent = usePlayer(({ state }) => !wantsSound(state))
  if (!takeOver || !isSilent) return null
  return (
    <div className={styles.badge}>
      <Wrap className={styles.offerLine}>
        <span className={styles.offer}>A new version of {shop().name} is ready.</span>
        <button type="button" className={styles.update} onClick={() => takeOver(reloadPage)}>
          Update
        </button>
        <IconButton
          label="Not now"
          icon={<Icon of={XIcon} size={20} />}
          onClick={() => offerUpdate(undefined)}
        />
      </Wrap>
    </div>
  )
}
