import { isStepped } from '#engine/channels.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './channel-charts.module.css';
import type { ChartParts } from './gap-chart.tsx';
import { CHANNEL_TITLES, describeChannel } from './lap-channels.ts';
import { LineChart } from './line-chart.tsx';
import type { ShownLap } from './shown-laps.ts';
import type { ChosenChannel, LapChannels } from './use-lap-channels.ts';

type ChannelChartsProps = { parts: ChartParts; laps: readonly ShownLap[]; chosen: readonly ChosenChannel[] };

/** Draws the chosen channels on the axis of the speeds, with their values at the cursor. */
export function ChannelCharts({ parts, laps, chosen }: ChannelChartsProps) {
  return chosen.map((channel) => {
    const { title, unit } = CHANNEL_TITLES[channel.name];
    const isDerived = channel.laps.every((lap) => lap.isDerived);
    const lines = channel.laps.flatMap(({ lapId, values, holes }) => {
      const lap = laps.find((one) => one.lapId === lapId);
      return lap ? [{ ...lap.stroke, id: lapId, values, holes }] : [];
    });
    return (
      <div key={channel.name} className={styles['channel']}>
        <h2 className={styles['heading']}>
          {[title, unit, isDerived && 'from the positions'].filter(Boolean).join(', ')}
          <span aria-hidden="true">{describeChannel(channel.name, channel.laps, parts.index)}</span>
        </h2>
        <div className={styles['plot']}>
          <LineChart
            {...parts}
            lines={lines}
            band={null}
            leastSpan={null}
            leastStep={isStepped(channel.name) ? 1 : 0}
            formatValue={formatLevel}
          />
        </div>
      </div>
    );
  });
}

function formatLevel(value: number): string {
  return String(Number(value.toFixed(2))).replace('-', '−');
}

/** Offers the channels that the loggers of the laps recorded, and accelerations for every lap. */
export function ChannelChoice({
  isOpen,
  toggleOpen,
  isReady,
  hasFailed,
  retry,
  names,
  hasRecorded,
  chosen,
  toggle,
}: LapChannels) {
  return (
    <fieldset className={styles['choice']} aria-label="Channels">
      <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={toggleOpen}>
        Channels
      </Button>
      {isOpen &&
        names.map((name) => (
          <Button
            key={name}
            size="small"
            variant="quiet"
            className={styles['name']}
            aria-pressed={chosen.some((channel) => channel.name === name)}
            onClick={() => toggle(name)}
          >
            {CHANNEL_TITLES[name].title}
          </Button>
        ))}
      {isOpen && (
        <output className={common['note']}>
          {!isReady && !hasFailed && 'Loading…'}
          {isReady && !hasRecorded && 'The lap files hold no throttle, brake, revolutions or steering.'}
        </output>
      )}
      {isOpen && hasFailed && <RetryLine onRetry={retry}>The channels could not be loaded.</RetryLine>}
    </fieldset>
  );
}
