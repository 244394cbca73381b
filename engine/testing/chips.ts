import type { Receiver } from '../simulation/receiver.ts';

/** A circle with this radius holds half of all positions, in deviations of one coordinate: √(2 ln 2). */
const CEP_PER_DEVIATION = 1.177;
/**
 * Over a day, errors of a receiver at rest remember themselves for about 40 minutes (satellites, air) and, to a smaller part, for about
 * one (reflections): D. L. Wilson, GPS error when averaging position, users.erols.com/dlwilson/gpsavg.htm and gpscorr.htm, measured over 20
 * days. The share of the second is an assumption of ours.
 */
const DAY_DRIFT_SECONDS = 2400;
const QUICK_SHARE = 0.15;

/** Returns a receiver of which the data sheet gives the radius that holds half of the positions of a day. */
function receiverOfChip(cepMeters: number, others: Partial<Receiver>): Partial<Receiver> {
  const deviation = cepMeters / CEP_PER_DEVIATION;
  return {
    driftMeters: deviation,
    driftSeconds: DAY_DRIFT_SECONDS,
    quickDriftMeters: QUICK_SHARE * deviation,
    quickDriftSeconds: 60,
    coordinateDecimals: 7,
    ...others,
  };
}

/**
 * Lists receivers as lap timers have them, by the radius that holds half of all positions. u-blox M10: 1.5 m with GPS
 * alone (SparkFun, hardware overview of the SAM-M10Q). u-blox M8: 2.5 m (MAX-M8 data sheet, UBX-15031506). MediaTek
 * MT3339: 3 m for two thirds of the positions, which is 2.5 m for half (LOCOSYS, data sheet of the LS20031: '3 m, 2D
 * RMS'). Phones under an open sky: 4.9 m (gps.gov, GPS accuracy), taken for half of the positions. Errors of the
 * speeds, noise from fix to fix, and the change of all errors over minutes are assumptions of ours.
 */
export const CHIPS: { name: string; receiver: Partial<Receiver>; ratesHz: number[] }[] = [
  {
    name: 'u-blox M10',
    receiver: receiverOfChip(1.5, {
      noiseMeters: 0.01,
      speedNoiseMetersPerSecond: 0.02,
      speedDriftMetersPerSecond: 0.05,
    }),
    ratesHz: [10, 25],
  },
  {
    name: 'u-blox M8',
    receiver: receiverOfChip(2.5, {
      noiseMeters: 0.02,
      speedNoiseMetersPerSecond: 0.02,
      speedDriftMetersPerSecond: 0.05,
    }),
    ratesHz: [5, 10],
  },
  {
    name: 'MT3339',
    receiver: receiverOfChip(2.5, {
      noiseMeters: 0.04,
      speedNoiseMetersPerSecond: 0.05,
      speedDriftMetersPerSecond: 0.1,
      coordinateDecimals: 6,
    }),
    ratesHz: [5, 10],
  },
  {
    name: 'M8, no speeds',
    receiver: receiverOfChip(2.5, { noiseMeters: 0.02, hasSpeed: false }),
    ratesHz: [5, 10],
  },
  {
    name: 'M8, poor speeds',
    receiver: receiverOfChip(2.5, {
      noiseMeters: 0.05,
      speedNoiseMetersPerSecond: 0.1,
      speedDriftMetersPerSecond: 0.3,
      speedDriftSeconds: 2,
    }),
    ratesHz: [10, 20],
  },
  {
    name: 'phone',
    receiver: receiverOfChip(4.9, {
      noiseMeters: 0.2,
      speedNoiseMetersPerSecond: 0.1,
      speedDriftMetersPerSecond: 0.1,
      coordinateDecimals: 6,
    }),
    ratesHz: [1],
  },
];
