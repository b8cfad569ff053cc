//! Special registers by their names.

use super::super::op::SpecialRegister;
use super::instruction::Context;
use super::Result;

fn by_name(name: &str, axis: u8) -> Option<SpecialRegister> {
    use SpecialRegister::*;
    Some(match name {
        "%tid" => Tid(axis),
        "%ntid" => Ntid(axis),
        "%ctaid" => Ctaid(axis),
        "%nctaid" => Nctaid(axis),
        "%laneid" => LaneId,
        "%warpid" => WarpId,
        "%nwarpid" => NumWarpId,
        "%gridwarpid" => GridWarpId,
        "%smid" => SmId,
        "%nsmid" => NumSmId,
        "%gridid" => GridId,
        "%lanemask_eq" => LaneMaskEq,
        "%lanemask_le" => LaneMaskLe,
        "%lanemask_lt" => LaneMaskLt,
        "%lanemask_ge" => LaneMaskGe,
        "%lanemask_gt" => LaneMaskGt,
        "%clock" => Clock,
        "%clock_hi" => ClockHigh,
        "%clock64" => Clock64,
        "%globaltimer" => GlobalTimer,
        "%globaltimer_lo" => GlobalTimerLow,
        "%globaltimer_hi" => GlobalTimerHigh,
        "%dynamic_smem_size" => DynamicSharedBytes,
        "%total_smem_size" => TotalSharedBytes,
        _ => return None,
    })
}

/// `name` is that of a special register.
pub(super) fn is_special(name: &str) -> bool {
    by_name(name, 0).is_some()
}

impl Context<'_, '_> {
    /// The special register that an operand names, `component` being what stands behind the dot.
    pub fn special(&self, name: &str, component: Option<&str>) -> Result<SpecialRegister> {
        let has_axes = matches!(name, "%tid" | "%ntid" | "%ctaid" | "%nctaid");
        let axis = match component {
            Some("x") if has_axes => 0,
            Some("y") if has_axes => 1,
            Some("z") if has_axes => 2,
            None if !has_axes => 0,
            None => return Err(self.error(format!("`{name}` needs a component: `{name}.x`, `.y` or `.z`"))),
            Some(other) => return Err(self.error(format!("`{name}` has no component `.{other}`"))),
        };
        by_name(name, axis).ok_or_else(|| self.error(format!("unknown special register `{name}`")))
    }
}
