import { Slider as Base } from '@base-ui/react/slider'
import { cx } from './cx.ts'
import styles from './Slider.module.css'

export interface SliderProps {
  label: string
  value: number
  min?: number | undefined
  max: number
  step?: number | undefined
  /** Page Up, Page Down and Shift with an arrow. */
  largeStep?: number | undefined
  /** What a screen reader says for a value: "4 minutes 10 seconds of 16 minutes 50 seconds". */
  valueText: (value: number) => string
  /** While dragging and on every key. */
  onChange: (value: number) => void
  /** Once, when the drag ends or a key was pressed. */
  onCommit?: ((value: number) => void) | undefined
  /** 0 to 1: how much has been loaded. */
  buffered?: number | undefined
  /** The dashed line beneath: what is on this device, all of it or these parts, in the slider's own unit. */
  stored?: boolean | readonly (readonly [from: number, to: number])[] | undefined
  /** A ring on the track: where the value was before. */
  ring?: number | undefined
  /** Where one part ends and the next begins: a gap in the track. */
  borders?: readonly number[] | undefined
  /** Small marks above the track, in the slider's own unit: bookmarks. */
  notches?: readonly number[] | undefined
  tone?: 'page' | 'title' | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

/** A 6 px track in a 44 px target. */
export function Slider(props: SliderProps) {
  const { label, value, min = 0, max, step = 1, largeStep = 10, valueText, onChange, onCommit } = props
  // A chapter of unknown length has max 0; the slider then stands still at its beginning.
  const end = Math.max(max, min + step)
  const share = (at: number) => `${((at - min) / (end - min)) * 100}%`
  return (
    <Base.Root
      value={Math.min(end, Math.max(min, value))}
      min={min}
      max={end}
      step={step}
      largeStep={largeStep}
      disabled={props.disabled ?? false}
      onValueChange={onChange}
      {...(onCommit ? { onValueCommitted: onCommit } : {})}
      className={props.className}
      thumbAlignment="center"
    >
      <Base.Control className={cx(styles.control, props.tone === 'title' && styles.title)}>
        <Base.Track className={cx(styles.track)}>
          {props.buffered !== undefined && (
            <span
              className={styles.buffered}
              style={{ transform: `scaleX(${Math.min(1, props.buffered)})` }}
            />
          )}
          <Base.Indicator className={cx(styles.indicator)} />
          {props.borders?.map((at) => (
            <span key={at} className={styles.border} style={{ left: share(at) }} />
          ))}
          {props.ring !== undefined && <span className={styles.ring} style={{ left: share(props.ring) }} />}
          <Base.Thumb
            className={cx(styles.thumb)}
            getAriaLabel={() => label}
            getAriaValueText={(_formatted, current) => valueText(current)}
          />
        </Base.Track>
        {storedParts(props.stored, min, end).map(([from, to]) => (
          <span
            key={from}
            className={styles.stored}
            style={{ left: share(from), width: `${((to - from) / (end - min)) * 100}%` }}
          />
        ))}
        {props.notches?.map((at) => (
          <span key={at} className={styles.notch} style={{ left: share(at) }} />
        ))}
      </Base.Control>
    </Base.Root>
  )
}

const storedParts = (stored: SliderProps['stored'], min: number, end: number) =>
  typeof stored === 'object' ? stored : stored ? [[min, end] as const] : []
