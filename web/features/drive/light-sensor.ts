import { useEffect, useState } from 'react';

// Few browsers let a page read the light sensor; those that do have this class.
type LightSensor = EventTarget & { illuminance?: number; start: () => void; stop: () => void };
type LightSensorClass = new (options: { frequency: number }) => LightSensor;

/** Above this, in lux, the white ground is easier to read; it goes back well below, so that shade under trees does not flicker. */
const DAY_FROM_LUX = 3_000;
const NIGHT_BELOW_LUX = 800;

function findSensor(): LightSensorClass | null {
  const sensors: Window & { AmbientLightSensor?: LightSensorClass } = window;
  return sensors.AmbientLightSensor ?? null;
}

/** Returns whether this browser lets a page read the light around the phone. */
export function readsLight(): boolean {
  return findSensor() !== null;
}

/** Returns whether it is bright around the phone; false without a sensor. */
export function useIsBright(isWanted: boolean): boolean {
  const [isBright, setIsBright] = useState(false);
  useEffect(() => {
    const Sensor = isWanted ? findSensor() : null;
    if (Sensor === null) return undefined;
    let sensor: LightSensor;
    try {
      sensor = new Sensor({ frequency: 1 });
      sensor.start();
    } catch {
      return undefined;
    }
    const read = () => {
      const { illuminance = 0 } = sensor;
      setIsBright((before) => illuminance >= (before ? NIGHT_BELOW_LUX : DAY_FROM_LUX));
    };
    sensor.addEventListener('reading', read);
    return () => {
      sensor.removeEventListener('reading', read);
      sensor.stop();
    };
  }, [isWanted]);
  return isBright;
}
