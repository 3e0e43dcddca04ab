import { Slider as Base } from '@base-ui/react/slider'
import { cx } from './cx.ts'
import styles from './Slider.module.css'

interface SliderProps {
  label: string
  value: number
  min?: number | undefined
  max: number
  step?: number | undefined
  /** The step of Page Up, Page Down and Shift with an arrow. */
  largeStep?: number | undefined
  valueText: (value: number) => string
  onChange: (value: number) => void
  /** Called once, when the drag ends or after a key. */
  onCommit?: ((value: number) => void) | undefined
  /** The loaded share, from 0 to 1. */
  buffered?: number | undefined
  /** A dashed line below the track for stored content: all of it or these ranges, in the slider's unit. */
  stored?: boolean | readonly (readonly [from: number, to: number])[] | undefined
  ring?: number | undefined
  /** Gaps in the track between two parts. */
  borders?: readonly number[] | undefined
  notches?: readonly number[] | undefined
  tone?: 'page' | 'title' | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

/** A 6 px track in a 44 px target. */
export function Slider(props: SliderProps) {
  const { label, value, min = 0, max, step = 1, largeStep = 10, valueText, onChange, onCommit } = props
  // A chapter of unknown length has max 0; the slider then stays at its start.
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
