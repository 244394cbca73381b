import type { LapView } from '#contract/lap-view/schemas.ts';
import { Card } from '#web/ui/card.tsx';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { describeRate } from './comparison-messages.ts';
import { EvidenceMeaning, LapEvidence, LapStatus } from './lap-card.tsx';
import { FlagLap, OfficialLap } from './lap-flags.tsx';
import styles from './single-lap.module.css';

const PARTS = [
  ['noiseMs', 'Noise of the positions'],
  ['driftMs', 'Drift of the receiver'],
  ['interpolationMs', 'Between two positions'],
  ['clockMs', 'Clock'],
] as const;

/** Shows why the time of a lap can be believed, how uncertain it is, and lets readers doubt it. */
export function AboutTime({ lap }: { lap: LapView }) {
  const { uncertaintyMs, uncertaintyParts, source } = lap;
  const rate = source.gpsRateHz === null ? '' : `, ${describeRate(source.gpsRateHz)}`;
  return (
    <Card as="section" padded={false} aria-label="About this time" className={styles['about']}>
      <div>
        <h2>About this time</h2>
        {lap.status === 'valid' && lap.reasons.length === 0 && <LapStatus lap={lap} />}
        <LapEvidence lap={lap} />
        <EvidenceMeaning lap={lap} />
        <FlagLap lap={lap} />
        <OfficialLap lap={lap} />
      </div>
      <div>
        <h3>Uncertainty {formatUncertainty(uncertaintyMs)} s</h3>
        {uncertaintyParts && (
          <dl className={styles['parts']}>
            {PARTS.map(([part, label]) => (
              <div key={part}>
                <dt>{label}</dt>
                <dd>{formatUncertainty(uncertaintyParts[part])}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className={styles['note']}>
          Lap file: {source.formatName}
          {rate}
        </p>
      </div>
    </Card>
  );
}
